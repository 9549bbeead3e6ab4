//! A relation as C text, and the scalars that it draws.
//!
//! `$` in a text stands for the relation's own suffix, so that many relations fit into one module.

use crate::dice::Dice;

/// What the generator aims at; enumeration tells what it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The relation holds by construction.
    True,
    /// A fault that fewer than one case in a hundred shows.
    Rare,
    /// A fault that many cases show.
    Common,
}

impl Aim {
    /// Forty of a hundred true, and the rare ones more than half of the rest: some of them come out common.
    pub fn draw(dice: &mut Dice) -> Aim {
        match dice.range(0, 99) {
            0..=42 => Aim::True,
            43..=84 => Aim::Rare,
            _ => Aim::Common,
        }
    }
}

/// A relation as C text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Variables with static storage: type, name with its dimensions, and initialiser.
    pub globals: Vec<(String, String, String)>,
    /// Types and functions.
    pub functions: String,
    /// The body of the relation.
    pub body: String,
}

impl Draft {
    /// Adds functions.
    pub fn function(&mut self, text: impl AsRef<str>) {
        self.functions.push_str(text.as_ref());
        self.functions.push('\n');
    }

    /// Adds a line to the body.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.body.push_str("    ");
        self.body.push_str(text.as_ref());
        self.body.push('\n');
    }

    /// Adds a variable with static storage.
    pub fn global(&mut self, of: &str, name: &str, value: &str) {
        self.globals.push((of.to_owned(), name.to_owned(), value.to_owned()));
    }

    /// The C source of the relation `name`. Natively, where one process runs all cases, `tw_reset_NAME` brings its variables back.
    pub fn source(&self, name: &str) -> String {
        let mut text = String::new();
        let mut reset = String::new();
        for (of, variable, value) in &self.globals {
            text.push_str(&format!("static {of} {variable} = {value};\n"));
            let (plain, dimensions) = variable.split_at(variable.find('[').unwrap_or(variable.len()));
            reset.push_str(&format!(
                "    static const {of} {plain}_first{dimensions} = {value};\n    memcpy(&{plain}, &{plain}_first, sizeof {plain});\n"
            ));
        }
        text.push_str(&self.functions);
        text.push_str(&format!("RELATION({name}) {{\n{}}}\n", self.body));
        text.push_str(&format!(
            "#ifndef __wasm__\nstatic void tw_reset_{name}(void) {{\n{reset}}}\n__attribute__((constructor)) static void tw_resets_{name}(void) {{ tw__register_reset(\"{name}\", tw_reset_{name}); }}\n#endif\n"
        ));
        text.replace('$', &format!("_{name}"))
    }
}

/// A drawn scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its name in C and as an input.
    pub name: String,
    /// Its type.
    pub of: &'static str,
    /// What draws it.
    draw: &'static str,
    /// Its smallest value.
    pub lo: i64,
    /// Its largest value.
    pub hi: i64,
}

impl Var {
    /// A 32-bit integer.
    pub fn i32(name: &str, lo: i64, hi: i64) -> Var {
        Var { name: name.to_owned(), of: "int32_t", draw: "tw_i32", lo, hi }
    }

    /// How many values it has.
    pub fn size(&self) -> i64 {
        self.hi - self.lo + 1
    }

    /// The statement that draws it.
    pub fn statement(&self) -> String {
        let Var { name, of, draw, .. } = self;
        match *draw {
            "tw_bool" => format!("{of} {name} = tw_bool(\"{name}\");"),
            "tw_choice" => format!("{of} {name} = ({of})tw_choice(\"{name}\", {});", self.hi + 1),
            _ => format!(
                "{of} {name} = ({of}){draw}(\"{name}\", {}, {});",
                literal(self.lo, draw),
                literal(self.hi, draw)
            ),
        }
    }

    /// Some value of it.
    pub fn value(&self, dice: &mut Dice) -> i64 {
        match dice.range(0, 5) {
            0 => self.lo,
            1 => self.hi,
            _ => dice.range(self.lo, self.hi),
        }
    }
}

fn literal(value: i64, draw: &str) -> String {
    match (draw, value) {
        ("tw_u32", _) => format!("{value}u"),
        ("tw_i64", i64::MIN) => "INT64_MIN".to_owned(),
        ("tw_i64", _) => format!("{value}ll"),
        (_, -2_147_483_648) => "INT32_MIN".to_owned(),
        _ => value.to_string(),
    }
}

/// An integer constant that may stand anywhere in an expression of `int`.
pub fn constant(value: i64) -> String {
    match value {
        -2_147_483_648 => "(-2147483647 - 1)".to_owned(),
        ..0 => format!("({value})"),
        _ => value.to_string(),
    }
}

/// `count` scalars with no more than `cases` cases together.
pub fn scalars(dice: &mut Dice, count: usize, cases: i64) -> Vec<Var> {
    let names = ["x", "y", "z", "w", "v", "u"];
    let mut left = cases;
    let mut vars = Vec::new();
    for (index, name) in names.iter().take(count).enumerate() {
        let rest = (count - index) as f64;
        let even = (left as f64).powf(1.0 / rest).floor().max(2.0) as i64;
        let size = if index + 1 == count {
            even
        } else {
            dice.range((even / 2).max(2), (even * 2).min(left / 2).max(2))
        };
        left = (left / size).max(2);
        vars.push(scalar(dice, name, size));
    }
    vars
}

/// One scalar of any kind with about `size` values.
pub fn scalar(dice: &mut Dice, name: &str, size: i64) -> Var {
    let kinds: [(&str, &str, i64, i64); 9] = [
        ("int32_t", "tw_i32", i64::from(i32::MIN), i64::from(i32::MAX)),
        ("int32_t", "tw_i32", -1000, 1000),
        ("int16_t", "tw_i32", -32768, 32767),
        ("int8_t", "tw_i32", -128, 127),
        ("uint16_t", "tw_u32", 0, 65535),
        ("uint8_t", "tw_u8", 0, 255),
        ("uint32_t", "tw_u32", 0, 4_294_967_295),
        ("int64_t", "tw_i64", i64::MIN / 4, i64::MAX / 4),
        ("int32_t", "tw_choice", 0, 1_000_000),
    ];
    let (of, draw, least, most) = match size {
        2 if dice.percent(30) => ("int32_t", "tw_bool", 0, 1),
        _ => kinds[dice.index(kinds.len())],
    };
    let size = size.min(most - least + 1);
    let lo = match (draw, dice.range(0, 9)) {
        ("tw_bool" | "tw_choice", _) => 0,
        (_, 0) => least,
        (_, 1) => most - size + 1,
        (_, 2) => 128 - size / 2,
        (_, 3) => 32768 - size / 2,
        (_, 4) => 2_147_483_648 - size / 2,
        (_, 5) => 0,
        _ => -size / 2,
    };
    let lo = lo.clamp(least, most - size + 1);
    Var { name: name.to_owned(), of, draw, lo, hi: lo + size - 1 }
}

/// Small scalars of `int`, for families that look at something else than widths.
pub fn small(dice: &mut Dice, names: &[&str], cases: i64) -> Vec<Var> {
    let mut left = cases;
    let mut vars = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let rest = (names.len() - index) as f64;
        let even = (left as f64).powf(1.0 / rest).floor().max(2.0) as i64;
        let size = dice.range((even * 2 / 3).max(2), even.max(2));
        left = (left / size).max(2);
        let lo = match dice.range(0, 3) {
            0 => 0,
            1 => 1,
            _ => -size / 2,
        };
        vars.push(Var::i32(name, lo, lo + size - 1));
    }
    vars
}

/// How many cases scalars have together.
pub fn cases(vars: &[Var]) -> i64 {
    vars.iter().map(Var::size).product()
}
