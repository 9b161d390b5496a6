/* Which lines of a script of PHP are executed, by declare(ticks=1): PHP has no other means without
 * an extension.
 *
 * Run as `php -r THIS`, the script's path in PARE_REACH, which is replaced by a copy with the
 * declaration in its first line.  A tick comes after its statement, so the lines of all callers are
 * noted as well.  Writes "+ N" when a line is executed for the first time, to descriptor 9: what was
 * written stays when the interpreter dies. */
(function () {
    $path = getenv('PARE_REACH');
    $out = fopen('php://fd/9', 'w');
    $seen = [];
    $text = preg_replace('/\bdeclare\s*\(\s*strict_types\s*=\s*1/i', '$0,ticks=1',
        file_get_contents($path), 1, $strict);
    if (!$strict) $text = preg_replace('/<\?php\b/i', '$0 declare(ticks=1);', $text, 1);
    unlink($path);
    file_put_contents($path, $text);
    register_tick_function(function () use ($path, $out, &$seen) {
        $frames = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 1);
        if (isset($seen[$frames[0]['line'] ?? 0])) return;
        foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 64) as $frame) {
            $line = $frame['line'] ?? 0;
            if (($frame['file'] ?? '') !== $path || isset($seen[$line])) continue;
            $seen[$line] = true;
            fwrite($out, "+ $line\n");
        }
    });
})();
include getenv('PARE_REACH');
