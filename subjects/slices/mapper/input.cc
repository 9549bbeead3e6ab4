#include "input.h"

#include <string_view>

namespace {

enum class Section { None, References, Probes };

class LineReader {
  public:
    explicit LineReader(std::FILE *file) : file_(file) {}

    // The next line without its end; false at the end of the file.
    bool next(std::string &line) {
        line.clear();
        int c = std::getc(file_);
        if (c == EOF)
            return false;
        number_++;
        while (c != EOF && c != '\n') {
            if (c != '\r')
                line += (char)c;
            c = std::getc(file_);
        }
        return true;
    }

    int number() const { return number_; }

  private:
    std::FILE *file_;
    int number_ = 0;
};

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

class Parser {
  public:
    // False if the line is wrong.
    bool add(std::string_view line) {
        line = trim(line);
        if (line.empty() || line.front() == ';')
            return true;
        if (line.front() == '>')
            return begin_record(line.substr(1));
        return add_letters(line);
    }

    bool finish() {
        for (const Record &probe : input.probes) {
            if (probe.sequence.is_empty())
                return fail("probe " + probe.name + " is empty");
        }
        return true;
    }

    Input input;

  private:
    bool begin_record(std::string_view header) {
        if (starts_with(header, "reference")) {
            section_ = Section::References;
            return begin_named(input.references, header.substr(9));
        }
        if (starts_with(header, "probe")) {
            section_ = Section::Probes;
            return begin_named(input.probes, header.substr(5));
        }
        return fail("a record is a reference or a probe");
    }

    bool begin_named(std::vector<Record> &records, std::string_view name) {
        name = trim(name);
        if (name.empty())
            return fail("a record needs a name");
        for (const Record &record : records) {
            if (record.name == name)
                return fail("two records have the same name");
        }
        Record record;
        record.name = std::string(name);
        records.push_back(record);
        return true;
    }

    bool add_letters(std::string_view letters) {
        if (section_ == Section::None)
            return fail("letters before the first record");
        std::vector<Record> &records = section_ == Section::References ? input.references : input.probes;
        if (records.back().sequence.append(letters) >= 0)
            return fail("a letter that is no base");
        return true;
    }

    bool fail(const std::string &message) {
        input.error = message;
        return false;
    }

    Section section_ = Section::None;
};

} // namespace

Input read_input(std::FILE *file) {
    LineReader reader(file);
    Parser parser;
    std::string line;
    while (reader.next(line)) {
        if (!parser.add(line)) {
            parser.input.error_line = reader.number();
            return parser.input;
        }
    }
    parser.finish();
    return parser.input;
}
