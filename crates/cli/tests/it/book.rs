//! The book's examples are executed: a `console` block that begins with `$ twinrun` runs in the example that the page names by
//! `<!-- in: examples/NAME -->`, and each line of the output that the page shows must be printed.

use std::fs;

use crate::project::{example, root};

#[test]
fn console_blocks_print_what_the_book_shows() {
    let mut ran = 0;
    let mut pages: Vec<_> =
        fs::read_dir(root().join("book/src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(page).unwrap();
        let mut home = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(name) = line.strip_prefix("<!-- in: examples/") {
                home = Some(example(name.trim_end_matches("-->").trim()));
            }
            let (Some(project), "```console") = (&home, line) else { continue };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let Some(words) = block.first().and_then(|line| line.strip_prefix("$ twinrun ")) else {
                continue;
            };
            // A shell takes the quotes away.
            let arguments: Vec<&str> = words.split_whitespace().map(|word| word.trim_matches('\'')).collect();
            let output = project.twinrun(&arguments);
            for shown in block[1..].iter().filter(|line| !line.trim().is_empty() && line.trim() != "…") {
                assert!(
                    output.out.contains(shown.trim_end()) || output.err.contains(shown.trim_end()),
                    "{}: `twinrun {words}` does not print\n{shown}\nbut\n{}{}",
                    page.display(),
                    output.out,
                    output.err
                );
            }
            ran += 1;
        }
    }
    assert!(ran >= 3, "only {ran} examples were found in the book");
}
