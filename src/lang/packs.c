/* The pins.  Chosen: the newest version of each package that carries a generated parser
 * for version 13 to 15 of the tables and needs no C++ compiler.  The integrity is what
 * `npm view PACKAGE@VERSION dist.integrity` prints.
 *
 * Packages under @tree-sitter-grammars/ replace older ones without that scope, which are
 * out of date (lua, toml), need C++ (yaml) or do not load (xml). */
#include "lang/packs.h"

#include <string.h>
#include <strings.h>

#include "base/fail.h"

/* The packages of the model "web": pare-web-model reads them and writes one
 * grammar of CSS, HTML elements and Web IDL. The order is that of install.c's
 * folder_names, since the program takes its folders by position. */
static const pare_pack_pin web[] = {
    {"@webref/css", "8.7.5",
     "sha512-VQygoDH6OptDhYib3Uxo2e1uftOv2Tx9yddzUyAXOmsLquyrV46w5VzXla2kPAIK70+"
     "Lo56NzzrltKMqiBrrLg=="},
    {"@webref/elements", "2.9.0",
     "sha512-L88NWGNPOkc0zLskdasdVU7Djn6MMkCxxL/XNEHWMIle1VhwaS1k/"
     "KstR9zp6aDbGxS6MHITRu4n08zm1nnVrQ=="},
    {"@webref/idl", "3.85.0",
     "sha512-pUflhFMSsZ+uwjxiyFwvzs1q/"
     "Y+1a4xps0toQbHgyNXvE9QMC+BpQZxhdX3VAS+OF0349XIezNHUE0V4NWFffw="
     "="},
    {NULL, NULL, NULL},
};

/* The table itself, sorted by name as 'pare lang list' shows it. Fields: name,
 * aliases, extensions, package, version, model or not; then integrity, folder,
 * symbol, large, pins.
 *
 * `aliases` and `extensions` are words separated by blanks, so a row needs no
 * array of its own. `folder` is "" where src/parser.c is at the top of the
 * package; packages with several parsers have a folder for each. `symbol` is
 * the exported function, which upstream chooses and which is not always
 * tree_sitter_NAME. `large` is set where the generated parser.c is so large
 * that a compiler is slow with it. */
static const pare_pack packs[] = {
    {{"awk", "gawk mawk", "awk gawk", "tree-sitter-awk", "0.7.2", false},
     "sha512-Y9qGrM9a/AkeglOMSYzM0Tek5rox9WZmlV1/"
     "l3wyBJaMdpeMGsC3z4Jn+OvuevJO78gtmW1SuXfCva1f4veuTg==",
     "",
     "tree_sitter_awk",
     false,
     NULL},
    {{"bash", "sh shell", "sh bash", "tree-sitter-bash", "0.25.1", false},
     "sha512-7hMytuYIMoXOq24yRulgIxthE9YmggZIOHCyPTTuJcu6EU54tYD+4G39cUb28kxC6jMf/"
     "AbPfWGLQtgPTdh3xw==",
     "",
     "tree_sitter_bash",
     false,
     NULL},
    /* A header called .h counts as C; those of C++ have extensions of their own
     * in the next row. */
    {{"c", "", "c h i cl mi", "tree-sitter-c", "0.24.1", false},
     "sha512-lkYwWN3SRecpvaeqmFKkuPNR3ZbtnvHU+"
     "4XAEEkJdrp3JfSp2pBrhXOtvfsENUneye76g889Y0ddF2DM0gEDpA==",
     "",
     "tree_sitter_c",
     false,
     NULL},
    /* The upper-case extensions (.C, .H) are C++ by the convention of Unix
     * compilers; see pare_language_for_file for how case is told apart. */
    {{"cpp", "c++ cxx",
      "cc cpp cxx c++ C cp hpp hh hxx h++ H hp ii mii ipp ixx tpp tcc txx t++ inl icc "
      "cppm ccm cxxm c++m mpp cu cuh hip ino",
      "tree-sitter-cpp", "0.23.4", false},
     "sha512-qR5qUDyhZ5jJ6V8/umiBxokRbe89bCGmcq/"
     "dk94wI4kN86qfdV8k0GHIUEKaqWgcu42wKal5E97LKpLeVW8sKw==",
     "",
     "tree_sitter_cpp",
     false,
     NULL},
    /* Upstream spells the language with an underscore in the symbol and with a
     * dash in the package. */
    {{"csharp", "c-sharp c# cs", "cs csx", "tree-sitter-c-sharp", "0.23.5", false},
     "sha512-xJGOeXPMmld0nES5+080N/"
     "06yY6LQi+KWGWV4LfZaZe6srJPtUtfhIbRSN7EZN6IaauzW28v6W4QHFwmeUW6HQ==",
     "",
     "tree_sitter_c_sharp",
     true,
     NULL},
    {{"css", "", "css", "tree-sitter-css", "0.25.0", false},
     "sha512-FRc9R8ePrwJiUhZsuZ/wcFQ3K8Z+9yCgDrrUjuYswGWlN89UvcB9vslTUGZElQWGwhS8sUw3/"
     "r2n4lpb2sxT4Q==",
     "",
     "tree_sitter_css",
     false,
     NULL},
    {{"dart", "", "dart", "tree-sitter-dart", "1.0.0", false},
     "sha512-Ve5YMPJjjGW9LEsO+MngAOibQsw5obFp+"
     "bUT41pvwdcXWRwJImOWs3eaPi6AubEiBmc09qvhdvxeIXvxlhMnug==",
     "",
     "tree_sitter_dart",
     false,
     NULL},
    /* Document type definitions come in the package of xml, as a second parser. */
    {{"dtd", "", "dtd ent", "@tree-sitter-grammars/tree-sitter-xml", "0.7.0", false},
     "sha512-AZHPPHEffNECqe1j6SGtgrQryPymKxniIbwI/9FQHvfhHe2Ug/"
     "aec51sJr2JWhE8do1Keaul5Yw2U2AiiPEm8Q==",
     "dtd",
     "tree_sitter_dtd",
     false,
     NULL},
    {{"elixir", "ex", "ex exs", "tree-sitter-elixir", "0.3.5", false},
     "sha512-xozQMvYK0aSolcQZAx2d84Xe/"
     "YMWFuRPYFlLVxO01bM2GITh5jyiIp0TqPCQa8754UzRAI7A83hZmfiYub5TZQ==",
     "",
     "tree_sitter_elixir",
     true,
     NULL},
    {{"elm", "", "elm", "@elm-tooling/tree-sitter-elm", "5.9.4", false},
     "sha512-GHwITgrzqdUHH1UJhVrH1OutbYPgyFPk7TIZpOeyXCyQtQAyrJd4l9ghLu6p6yWz6ikYlKjWTMqOd49P/"
     "VdZdA==",
     "",
     "tree_sitter_elm",
     false,
     NULL},
    {{"glsl", "", "glsl vert frag geom comp tesc tese", "tree-sitter-glsl", "0.2.0", false},
     "sha512-yrbxOLwB4pVqxCgBSCAN4HqoMnoCUo86ih2y+kNwWMNfGOpIHE6wvh0QU557hvNTJT9X1BAM9aH1MU/"
     "Itxnq3A==",
     "",
     "tree_sitter_glsl",
     false,
     NULL},
    {{"go", "golang", "go", "tree-sitter-go", "0.25.0", false},
     "sha512-APBc/Dq3xz/e35Xpkhb1blu5UgW+2E3RyGWawZSCNcbGwa7jhSQPS8KsUupuzBla8PCo8+lz9W/"
     "JDJjmfRa2tw==",
     "",
     "tree_sitter_go",
     false,
     NULL},
    {{"haskell", "hs", "hs hs-boot", "tree-sitter-haskell", "0.23.1", false},
     "sha512-qG4CYhejveu9DLMLEGBz/n9/TTeGSFLC6wniwOgG6m8/"
     "v7Dng8qR0ob0EVG7+XH+9WiOxohpGA23EhceWuxY4w==",
     "",
     "tree_sitter_haskell",
     true,
     NULL},
    {{"hcl", "terraform", "hcl tf tfvars", "@tree-sitter-grammars/tree-sitter-hcl", "1.2.0", false},
     "sha512-2bVnOojkkdMLevp0G4v3ksbNoOQFc/Pt9GAdWX4i3aykVyI+CkktE1hsF/"
     "XAeUQFjwgGrVZnEyeCll5oD7Ibfg==",
     "",
     "tree_sitter_hcl",
     false,
     NULL},
    {{"html", "", "html htm xhtml", "tree-sitter-html", "0.23.2", false},
     "sha512-TN+l+7cCeLx9db/1RhRSqMAZO/266Oh2BHb8J8hMSSFLuzYvFTYP/"
     "UnD3S0mny5awzw05KzFNgu2vnwzN9wVJg==",
     "",
     "tree_sitter_html",
     false,
     NULL},
    {{"java", "", "java", "tree-sitter-java", "0.23.5", false},
     "sha512-Yju7oQ0Xx7GcUT01mUglPP+bYfvqjNCGdxqigTnew9nLGoII42PNVP3bHrYeMxswiCRM0yubWmN5qk+"
     "zsg0zMA==",
     "",
     "tree_sitter_java",
     false,
     NULL},
    {{"javascript", "js", "js mjs cjs jsx", "tree-sitter-javascript", "0.25.0", false},
     "sha512-1fCbmzAskZkxcZzN41sFZ2br2iqTYP3tKls1b/HKGNPQUVOpsUxpmGxdN/wMqAk3jYZnYBR1dd/y/"
     "0avMeU7dw==",
     "",
     "tree_sitter_javascript",
     false,
     NULL},
    {{"json", "", "json geojson webmanifest", "tree-sitter-json", "0.24.8", false},
     "sha512-Tc9ZZYwHyWZ3Tt1VEw7Pa2scu1YO7/d2BCBbKTx5hXwig3UfdQjsOPkPyLpDJOn/"
     "m1UBEWYAtSdGAwCSyagBqQ==",
     "",
     "tree_sitter_json",
     false,
     NULL},
    {{"julia", "jl", "jl", "tree-sitter-julia", "0.23.1", false},
     "sha512-3vShY0GIu8ajR6hXzE0pyUk6kkfg4pGx3Bfzm6lGmR9aC3fe+LgoBMlaFJ7JY+"
     "t0fNFccc77J8HVP67ukuDMxQ==",
     "",
     "tree_sitter_julia",
     true,
     NULL},
    {{"kotlin", "kt", "kt kts", "@tree-sitter-grammars/tree-sitter-kotlin", "1.1.0", false},
     "sha512-vlVXaxEE8t2kpJgfZpa8XVvxcnKw9AYtRTgy7KWjsDmAsadk06RxAT80IXOgGQnmM9i/"
     "orQn1nD84gPNUHu6DQ==",
     "",
     "tree_sitter_kotlin",
     true,
     NULL},
    {{"llvm", "ll", "ll", "tree-sitter-llvm", "1.1.0", false},
     "sha512-0zUbKCsfYi2Ha2huRQRoAFFubhLmK4npe9Q2d5laxWxvsHTSclnch5/znBN/"
     "ykryUJDBSUAE7W21qcyocR+LpQ==",
     "",
     "tree_sitter_llvm",
     false,
     NULL},
    {{"lua", "", "lua", "@tree-sitter-grammars/tree-sitter-lua", "0.4.1", false},
     "sha512-EwagFaU6ZveVk18/Y8qUhZkkiBKnQ7dSCHbm//TUroLVKy3i1rOYGy/cNHtSkAb1eDvS1HhCLybH2S541Cya/"
     "g==",
     "",
     "tree_sitter_lua",
     false,
     NULL},
    {{"make", "makefile", "mk mak make", "tree-sitter-make", "1.1.1", false},
     "sha512-szHESi1wObt07uM5a5mwkMjbLHOcgiS5G2YQjU8O+"
     "Tfv9RylQBA0umV25lf6gSOefwTsPBnTJGn4SFFdHAVwMg==",
     "",
     "tree_sitter_make",
     false,
     NULL},
    /* The package has two parsers, one for blocks and one for inline text; this
     * one is for blocks, which are what lists and sections are made of. */
    {{"markdown", "md", "md markdown mkd", "@tree-sitter-grammars/tree-sitter-markdown", "0.3.2",
      false},
     "sha512-hQXCcDVvg2t4E8cn7zz6jjIBerzk9E9ZlHxJp5IrUOpY4s1YVpXJbMeWZks2/"
     "V7lmkPRnnkM8IrTbQ5ltwEOnA==",
     "tree-sitter-markdown",
     "tree_sitter_markdown",
     false,
     NULL},
    {{"nix", "", "nix", "tree-sitter-nix", "0.0.2", false},
     "sha512-"
     "rPYc7NUi6hPOyFSoVdCVC9feqBk0kJ0Z3ftTWXo1ubyyKzPM5tJP6mD6xYl0gN45oh9GHGzvTbOmmwIk0XOj5A==",
     "",
     "tree_sitter_nix",
     false,
     NULL},
    {{"objc", "objective-c", "m", "tree-sitter-objc", "3.0.2", false},
     "sha512-Hs0ohmx1u5M+0K7efoW+dv/"
     "corhBsfjftfIYLtp7dSGeJ+Zj4c33tDIboBYLs6qijRlz6wtHFxa0YX+FibLulA==",
     "",
     "tree_sitter_objc",
     true,
     NULL},
    /* Implementations and interfaces are two grammars of one package, so they
     * are two languages here. */
    {{"ocaml", "ml", "ml", "tree-sitter-ocaml", "0.24.2", false},
     "sha512-H0RAeCepIyXyTPCQra6yMd7Bn5ZBYkIaddzdLNwVZpM9mCe2e8av+3O6Ojl7Z8YHrV/"
     "kYsfHvI2y+Hh7qzcYQQ==",
     "grammars/ocaml",
     "tree_sitter_ocaml",
     true,
     NULL},
    {{"ocaml-interface", "mli", "mli", "tree-sitter-ocaml", "0.24.2", false},
     "sha512-H0RAeCepIyXyTPCQra6yMd7Bn5ZBYkIaddzdLNwVZpM9mCe2e8av+3O6Ojl7Z8YHrV/"
     "kYsfHvI2y+Hh7qzcYQQ==",
     "grammars/interface",
     "tree_sitter_ocaml_interface",
     true,
     NULL},
    {{"perl", "pl", "pl pm", "tree-sitter-perl", "2.0.0", false},
     "sha512-sKZfFIvw5S18UHHAMe7rRpuZzzkLxaeslmZeflPlFKLfKAWCT8XAIqu/"
     "IBWzWR5phkMTZM3DxqOxX2IXC51SdA==",
     "",
     "tree_sitter_perl",
     true,
     NULL},
    /* The folder "php" is for text with <?php tags, as files have them;
     * "php_only" is for code without them. */
    {{"php", "", "php phtml php5", "tree-sitter-php", "0.24.2", false},
     "sha512-zwgAePc/HozNaWOOfwRAA+3p8yhuehRw8Fb7vn5qd2XjiIc93uJPryDTMYTSjBRjVIUg/"
     "KY6pM3rRzs8dSwKfw==",
     "php",
     "tree_sitter_php",
     false,
     NULL},
    {{"powershell", "pwsh ps1", "ps1 psm1 psd1", "tree-sitter-powershell", "0.26.4", false},
     "sha512-5RwNW/qN/cKArZY0znvTOG+OWSau7Agel5K0A8KQ5Nubw/"
     "4SyZ5KC02RKCaYcA2ur5UQ8esyxe9+6yXup2MXkw==",
     "",
     "tree_sitter_powershell",
     false,
     NULL},
    {{"properties", "", "properties", "tree-sitter-properties", "0.3.0", false},
     "sha512-IYRnJA7kf1EoAoF6vVuH7LjQtwwaCmRUt/"
     "mpQX4is4vGURpMfrM8sFfLMPrSuEpHnBikRe1RBWQxQbdqj7FHUw==",
     "",
     "tree_sitter_properties",
     false,
     NULL},
    {{"python", "py", "py pyi pyw", "tree-sitter-python", "0.25.0", false},
     "sha512-eCmJx6zQa35GxaCtQD+wXHOhYqBxEL+bp71W/"
     "s3fcDMu06MrtzkVXR437dRrCrbrDbyLuUDJpAgycs7ncngLXw==",
     "",
     "tree_sitter_python",
     false,
     NULL},
    {{"r", "", "r R", "@eagleoutice/tree-sitter-r", "1.1.2", false},
     "sha512-HR0RyoI5uxcfsdZvTMqSM8GJyGo6DQTkfdgqygQ6N+D0KQObRH4RxYgBZ6ePsGq/"
     "36RBAqv8y0NeQvAFL2N4dQ==",
     "",
     "tree_sitter_r",
     false,
     NULL},
    {{"ruby", "rb", "rb rake gemspec", "tree-sitter-ruby", "0.23.1", false},
     "sha512-d9/"
     "RXgWjR6HanN7wTYhS5bpBQLz1VkH048Vm3CodPGyJVnamXMGb8oEhDypVCBq4QnHui9sTXuJBBP3WtCw5RA==",
     "",
     "tree_sitter_ruby",
     false,
     NULL},
    {{"rust", "rs", "rs", "tree-sitter-rust", "0.24.0", false},
     "sha512-NWemUDf629Tfc90Y0Z55zuwPCAHkLxWnMf2RznYu4iBkkrQl2o/"
     "CHGB7Cr52TyN5F1DAx8FmUnDtCy9iUkXZEQ==",
     "",
     "tree_sitter_rust",
     false,
     NULL},
    {{"scala", "", "scala sc sbt", "tree-sitter-scala", "0.24.0", false},
     "sha512-"
     "vkMuAUrBZ1zZz2XcGDQk18Kz73JkpgaeXzbNVobPke0G35sd9jH32aUxG6OLRKM7et0TbsfqkWf4DeJoGk4K1g==",
     "",
     "tree_sitter_scala",
     true,
     NULL},
    {{"solidity", "sol", "sol", "tree-sitter-solidity", "1.2.13", false},
     "sha512-nO2AbcAuz2Qba8JnPNe/3FVjRRvGY3ApxSJ8UPIzfynJm4PYCMbBoXxxbprvMgjCbGYR/"
     "ZrHGIPKzXV7zBa+lQ==",
     "",
     "tree_sitter_solidity",
     false,
     NULL},
    {{"sql", "", "sql ddl", "@derekstride/tree-sitter-sql", "0.3.11", false},
     "sha512-YRtTXVWK4n7/3BUGchhGcW/IF1u2ldR2fd0t3Uw7ymbGXcRfiG3v1T6N43jQKXz2LwN+Nx+"
     "Ab96T0HtusBVH9g==",
     "",
     "tree_sitter_sql",
     true,
     NULL},
    {{"swift", "", "swift", "tree-sitter-swift", "0.7.1", false},
     "sha512-pneKVTuGamaBsqqqfB9BvNQjktzh/0IVPR54jLB5Fq/JTDQwYHd0Wo6pVyZ5jAYpbztzq+rJ/"
     "rpL9ruxTmSoKw==",
     "",
     "tree_sitter_swift",
     true,
     NULL},
    {{"toml", "", "toml", "@tree-sitter-grammars/tree-sitter-toml", "0.7.0", false},
     "sha512-873Kl518Qm5ghbWadISY41rwFjee0v+"
     "2bU4twwvAw2VAJcWwj2vBo3F3hOCXfbqHaFiqc4qh6eLhkMl2YZJS0g==",
     "",
     "tree_sitter_toml",
     false,
     NULL},
    /* One package, two grammars: angle brackets are JSX here and casts in plain
     * TypeScript. */
    {{"tsx", "", "tsx", "tree-sitter-typescript", "0.23.2", false},
     "sha512-e04JUUKxTT53/"
     "x3Uq1zIL45DoYKVfHH4CZqwgZhPg5qYROl5nQjV+85ruFzFGZxu+QeFVbRTPDRnqL9UbU4VeA==",
     "tsx",
     "tree_sitter_tsx",
     false,
     NULL},
    {{"typescript", "ts", "ts mts cts", "tree-sitter-typescript", "0.23.2", false},
     "sha512-e04JUUKxTT53/"
     "x3Uq1zIL45DoYKVfHH4CZqwgZhPg5qYROl5nQjV+85ruFzFGZxu+QeFVbRTPDRnqL9UbU4VeA==",
     "typescript",
     "tree_sitter_typescript",
     false,
     NULL},
    {{"verilog", "", "v vh sv svh", "tree-sitter-verilog", "1.0.0", false},
     "sha512-SSGUwA+mQ1Jxn/V2ROLj3+leO/68f+7MxWzoz5kOaJ3qzKAveSWjxOATGmiFMLy4DJ+/"
     "0pDXFnapwMDih2Cx6Q==",
     "",
     "tree_sitter_verilog",
     true,
     NULL},
    /* The only model: it has no parser, so integrity, folder and symbol are
     * empty and `pins` names its packages. */
    {{"web", "", "", "@webref/css @webref/elements @webref/idl", "8.7.5 2.9.0 3.85.0", true},
     "",
     "",
     "",
     false,
     web},
    {{"xml", "", "xml svg xsd xsl xslt rss", "@tree-sitter-grammars/tree-sitter-xml", "0.7.0",
      false},
     "sha512-AZHPPHEffNECqe1j6SGtgrQryPymKxniIbwI/9FQHvfhHe2Ug/"
     "aec51sJr2JWhE8do1Keaul5Yw2U2AiiPEm8Q==",
     "xml",
     "tree_sitter_xml",
     false,
     NULL},
    {{"yaml", "yml", "yaml yml", "@tree-sitter-grammars/tree-sitter-yaml", "0.7.1", false},
     "sha512-AynBwkIoQCTgjDR33bDUp9Mqq+YTco0is3n5hRApMqG9of/6A4eQsfC1/"
     "uSEeHSUyMQSYawcAWamsexnVpIP4Q==",
     "",
     "tree_sitter_yaml",
     false,
     NULL},
    {{"zig", "", "zig zon", "@tree-sitter-grammars/tree-sitter-zig", "1.1.2", false},
     "sha512-J0L31HZ2isy3F5zb2g5QWQOv2r/"
     "pbruQNL9ADhuQv2pn5BQOzxt80WcEJaYXBeuJ8GHxVT42slpCna8k1c8LOw==",
     "",
     "tree_sitter_zig",
     false,
     NULL},
};

enum { N_PACKS = sizeof packs / sizeof *packs };

/* Whether `word` is one of the words of `list`, which blanks separate.
 * `compare` is strncmp, or strncasecmp where case does not matter. An empty
 * word is in no list: a file name that ends with a dot has an empty extension. */
static bool has_word(const char *list, const char *word,
                     int (*compare)(const char *, const char *, size_t))
{
    size_t length = strlen(word);
    if (length == 0) return false;
    for (; *list; list += strspn(list, " ")) {
        size_t part = strcspn(list, " ");
        if (part == length && compare(list, word, length) == 0) return true;
        list += part;
    }
    return false;
}

/* The pack of a name or alias; NULL when there is none. Case matters: "R" is no
 * alias of "r". A linear search will do for some fifty rows that are asked for
 * a few times in a run. */
static const pare_pack *find(const char *name)
{
    for (size_t i = 0; i < N_PACKS; i++) {
        if (strcmp(packs[i].info.name, name) == 0) return &packs[i];
        if (has_word(packs[i].info.aliases, name, strncmp)) return &packs[i];
    }
    return NULL;
}

/* Sets *out in any case, so that a caller who only wants to know whether there is a pack can look
 * at it. */
pare_status pare_packs_get(const char *name, const pare_pack **out, pare_error *err)
{
    *out = find(name);
    if (*out) return PARE_OK;
    (void)pare_fail(err, PARE_E_ARG, "unknown language '%s': 'pare lang list' lists them", name);
    return PARE_E_ARG; /* written out for the analyzer, which cannot see into pare_fail */
}

/* Enumerates the table: indices 0, 1, ... until NULL. */
const pare_language_info *pare_language_at(size_t index)
{
    return index < N_PACKS ? &packs[index].info : NULL;
}

/* Takes aliases too; the result lives as long as the program. */
const pare_language_info *pare_language_find(const char *name)
{
    const pare_pack *pack = find(name);
    return pack ? &pack->info : NULL;
}

/* File names that say their language by themselves, whatever the extension.
 * Compared with case, as the programs that look for these files do. */
static const struct {
    const char *file, *language;
} file_names[] = {
    {".Rprofile", "r"},       {".bash_profile", "bash"}, {".bashrc", "bash"},
    {".profile", "bash"},     {"GNUmakefile", "make"},   {"Gemfile", "ruby"},
    {"Makefile", "make"},     {"PKGBUILD", "bash"},      {"Rakefile", "ruby"},
    {"SConscript", "python"}, {"SConstruct", "python"},  {"makefile", "make"},
};

/* A whole name counts first, then an extension in the case that the table has: .C is C++ to some,
 * .c is C. */
const pare_language_info *pare_language_for_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof file_names / sizeof *file_names; i++) {
        if (strcmp(file_names[i].file, name) == 0)
            return pare_language_find(file_names[i].language);
    }
    /* No extension: a name without a dot, or one that only begins with it
     * (.gitignore). */
    if (!dot || dot == name) return NULL;
    for (size_t i = 0; i < N_PACKS; i++) {
        if (has_word(packs[i].info.extensions, dot + 1, strncmp)) return &packs[i].info;
    }
    /* Only if no row has the extension in this case: a file from a system that
     * ignores case (MAIN.PY) still finds its language. */
    for (size_t i = 0; i < N_PACKS; i++) {
        if (has_word(packs[i].info.extensions, dot + 1, strncasecmp)) return &packs[i].info;
    }
    return NULL;
}
