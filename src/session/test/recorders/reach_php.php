/* Which blocks of a script of PHP are executed, by a mark behind the brace that opens each: PHP has
 * no other means without an extension (ticks know nothing of a `return`).
 *
 * Run as `php -r THIS`, the script's path in PARE_REACH, which is replaced by a copy with the marks.
 * Blocks are found in the tokens of PHP's own scanner: a brace is one when the last word that wants a
 * body, at the same depth of brackets, is a function or a statement; those of classes, `match`,
 * `switch`, name spaces and texts are none.  Writes "b FROM TO" for what each block holds, before the
 * first mark is passed or at the end, and "- FROM TO" when one is passed for the first time, to
 * descriptor 9: what was written stays when the interpreter dies. */
(function () {
    if (!function_exists('token_get_all')) return;
    $path = getenv('PARE_REACH');
    $bodies = [T_FUNCTION, T_IF, T_ELSEIF, T_ELSE, T_FOR, T_FOREACH, T_WHILE, T_DO, T_TRY, T_CATCH, T_FINALLY];
    $others = [T_CLASS, T_INTERFACE, T_TRAIT, T_NAMESPACE, T_USE, T_SWITCH, T_DECLARE];
    foreach (['T_ENUM', 'T_MATCH'] as $name) if (defined($name)) $others[] = constant($name);
    $made = '';
    $at = $n = $before = 0;
    $wants = [0];  /* per depth of brackets: 1: a body is to come, -1: other braces, 0: nothing */
    $opened = [];  /* per depth: where the open block began, null: none is */
    $blocks = [];
    foreach (token_get_all(file_get_contents($path)) as $token) {
        $kind = is_array($token) ? $token[0] : $token;
        $text = is_array($token) ? $token[1] : $token;
        $made .= $text;
        $at += strlen($text);
        $top = count($wants) - 1;
        if (in_array($kind, [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT], true)) continue;
        if (in_array($kind, $bodies, true)) {
            $wants[$top] = 1;
        } elseif (in_array($kind, $others, true) && $before !== T_DOUBLE_COLON
                  && !($kind === T_USE && $wants[$top] === 1)) {
            $wants[$top] = -1;
        } elseif ($kind === ';') {
            $wants[$top] = 0;
        } elseif (in_array($kind, ['(', '[', '{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES, '#['], true)
                  || (defined('T_ATTRIBUTE') && $kind === T_ATTRIBUTE)) {
            $block = $kind === '{' && $wants[$top] === 1;
            if ($block) {
                $made .= ' \\pare_reach_mark(' . $n . ');';
                $blocks[$n] = null;
            }
            $opened[] = $block ? [$n++, $at] : null;
            if ($kind === '{') $wants[$top] = 0;
            $wants[] = 0;
        } elseif (in_array($kind, [')', ']', '}'], true) && $opened) {
            array_pop($wants);
            $block = array_pop($opened);
            if ($block) $blocks[$block[0]] = $block[1] . ' ' . ($at - 1);
        }
        $before = $kind;
    }
    $GLOBALS['pare_reach'] = [array_filter($blocks), fopen('php://fd/9', 'w'), false, []];
    unlink($path);
    file_put_contents($path, $made);
})();
function pare_reach_tell() {
    global $pare_reach;
    if ($pare_reach[2]) return;
    $pare_reach[2] = true;
    if ((error_get_last()['type'] ?? 0) === E_COMPILE_ERROR) return;  /* nothing was executed */
    if ($pare_reach[0]) fwrite($pare_reach[1], 'b ' . implode("\nb ", $pare_reach[0]) . "\n");
}
function pare_reach_mark($n) {
    global $pare_reach;
    if (isset($pare_reach[3][$n])) return;
    $pare_reach[3][$n] = true;
    pare_reach_tell();
    if (isset($pare_reach[0][$n])) fwrite($pare_reach[1], '- ' . $pare_reach[0][$n] . "\n");
}
register_shutdown_function('pare_reach_tell');
try {
    include getenv('PARE_REACH');
} catch (ParseError $error) {
    $GLOBALS['pare_reach'][0] = [];
}
