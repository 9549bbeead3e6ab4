/* Searches a text for a regular expression: characters, `.`, `[abc]`, `[^abc]`, `[a-z]`, each with `*`, `+` or `?` behind it, and
 * the anchors `^` and `$` at the ends. Returns where the leftmost match begins, or -1. */
int regex_search(const char *pattern, const char *text);
