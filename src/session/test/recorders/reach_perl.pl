# Which lines of a script of Perl are executed, by the hooks of its debugger (perldebguts).
#
# Run as `perl -e THIS`, the script's path in PARE_REACH.  Writes "= N" for each line on which a
# breakpoint may be set, and "+ N" when a line is executed for the first time, to descriptor 9: what
# was written stays when the interpreter dies.
BEGIN {
    package DB;
    our ($path, $single, $told, %seen) = ($ENV{PARE_REACH}, 1);
    open(our $out, '>&=', 9) or exit 1;
    sub DB {
        my (undef, $file, $line) = caller;
        return if $file ne $path || $seen{$line};
        no strict 'refs';
        # What runs while the script is still compiled knows only the lines before it.
        my ($depth, $begins) = (0, 0);
        while (!$told && (my $sub = (caller $depth++)[3])) { $begins ||= $sub =~ /::BEGIN$/ }
        if (!$told && !$begins) {
            $told = 1;
            my $lines = \@{"main::_<$path"};
            syswrite $out, join '', map { defined $lines->[$_] && $lines->[$_] != 0 ? "= $_\n" : '' } 1 .. $#$lines;
        }
        $seen{$line} = 1;
        syswrite $out, "+ $line\n";
    }
    sub sub { no strict 'refs'; &$DB::sub }
    # Line by line (2), and with the statements that are optimised away else (4).
    $^P = 0x06;
}
@ARGV = ();
$0 = $DB::path;
$DB::single = 1;
do $DB::path;
