/* Reads complaints from what a program printed; complaint_reader.c has the table of messages. */
#ifndef PARE_RUN_COMPLAINT_READER_H
#define PARE_RUN_COMPLAINT_READER_H

#include "run/complaints.h"
#include "run/printed.h"

/* Adds what `printed` complains of, in the order in which it stands there.  Cost: O(bytes), a few
 * microseconds for each line with an error.  Source: the messages of the programs in
 * tests/data/complaints.  Any thread. */
void pare_complaint_reader_read(pare_complaints *complaints, const pare_printed *printed);

#endif
