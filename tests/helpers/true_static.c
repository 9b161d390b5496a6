/* The cheapest test there is: exits with the code that its first argument spells, else
 * with 0.  Linked statically. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    return argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9' ? atoi(argv[1]) : 0;
}
