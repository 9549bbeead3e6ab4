// The first three relations are published (Xie et al., 2013).
#include <twinrun.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

enum { MOST_REFERENCE = 24, MOST_PROBES = 4, SHORTEST = 4, LONGEST = 8, ROOM = 1 << 14 };

using Strings = std::vector<std::string>;

struct Task {
    int edits = 0;
    Strings options;
    Strings references;
    Strings probes;
};

// What a run says of one probe.
struct Mapped {
    bool is_mapped = false;
    int hits = 0;
    int fewest_edits = 99;
    std::vector<std::string> lines;
};

using Answer = std::map<std::string, Mapped>;

static Answer run(const Task &task, const std::vector<int> &order = {}) {
    std::string in;
    for (size_t i = 0; i < task.references.size(); i++) in += ">reference r" + std::to_string(i) + "\n" + task.references[i] + "\n";
    for (size_t i = 0; i < task.probes.size(); i++) {
        size_t probe = order.empty() ? i : (size_t)order[i];
        in += ">probe p" + std::to_string(probe) + "\n" + task.probes[probe] + "\n";
    }
    std::string edits = std::to_string(task.edits);
    std::vector<tw_arg> arguments = {TW_STR(edits.c_str())};
    for (const std::string &option : task.options) arguments.push_back(TW_STR(option.c_str()));
    GIVEN("edits", task.edits);
    GIVEN_BYTES("in", in.data(), (int)in.size());
    static char out[ROOM];
    int exit_code = tw_run_program(arguments.data(), (int)arguments.size(), in.data(), (int)in.size(), out, ROOM);
    OUTPUT_TEXT("out", out);
    CHECK_EQ(exit_code, 0);
    Answer answer;
    std::string line;
    for (const char *p = out; *p; p++) {
        if (*p != '\n') {
            line += *p;
            continue;
        }
        size_t tab = line.find('\t');
        if (tab != std::string::npos) {
            Mapped &mapped = answer[line.substr(0, tab)];
            mapped.lines.push_back(line);
            if (line.compare(tab, 7, "\tmapped") == 0) {
                // PROBE mapped REFERENCE STRAND FROM TO EDITS …
                size_t field = 0;
                for (int i = 0; i < 6; i++) field = line.find('\t', field) + 1;
                mapped.is_mapped = true;
                mapped.hits++;
                mapped.fewest_edits = std::min(mapped.fewest_edits, std::atoi(line.c_str() + field));
            }
        }
        line.clear();
    }
    CHECK_EQ(answer.size(), task.probes.size());
    return answer;
}

static std::string draw_bases(const char *name, int least, int most) {
    char text[MOST_REFERENCE + 1];
    tw_text_between(name, text, least, most, "ACGT");
    return text;
}

// Probes are random, or parts of the reference, perhaps with a base changed.
static Task draw() {
    Task task;
    task.edits = tw_i32("edits", 0, 2);
    static const char *const options[] = {"--best", "--both-strands", "--substitutions", "--summary"};
    for (const char *option : options)
        if (tw_i32("option", 0, 2) == 0) task.options.push_back(option);
    task.references.push_back(draw_bases("reference", 0, MOST_REFERENCE));
    const std::string &reference = task.references[0];
    int probes = tw_len("probes", 1, MOST_PROBES);
    for (int i = 0; i < probes; i++) {
        std::string probe = draw_bases("probe", SHORTEST, LONGEST);
        bool part = tw_bool("part");
        int at = tw_i32("at", 0, MOST_REFERENCE), changed = tw_i32("changed", 0, 2 * LONGEST);
        if (part && at + SHORTEST <= (int)reference.size()) {
            char base = probe[0];
            probe = reference.substr((size_t)at, probe.size());
            if (changed < (int)probe.size()) probe[(size_t)changed] = base;
        }
        task.probes.push_back(probe);
    }
    return task;
}

static bool has(const Task &task, const char *option) {
    return std::find(task.options.begin(), task.options.end(), option) != task.options.end();
}

// With some probes written behind the reference, these are mapped, and more often than before; none is lost.
RELATION(append_probes) {
    Task source = draw(), follow_up = source;
    std::vector<bool> chosen;
    for (const std::string &probe : source.probes) {
        chosen.push_back(tw_bool("chosen"));
        if (chosen.back()) follow_up.references[0] += probe;
    }
    Answer first = run(source), second = run(follow_up);
    for (size_t i = 0; i < source.probes.size(); i++) {
        const Mapped &before = first["p" + std::to_string(i)], &after = second["p" + std::to_string(i)];
        if (before.is_mapped || chosen[i]) CHECK(after.is_mapped);
        if (chosen[i]) CHECK_EQ(after.fewest_edits, 0);
        // Only the best hits are shown with --best: there may be fewer of them.
        if (before.is_mapped && chosen[i] && !has(source, "--best")) CHECK_LT(before.hits, after.hits);
        if (before.is_mapped) CHECK_LE(after.fewest_edits, before.fewest_edits);
    }
}

// With a part cut off the reference at either end, nothing becomes mappable.
RELATION(cut_reference) {
    Task source = draw(), follow_up = source;
    int size = (int)source.references[0].size();
    int front = tw_i32("front", 0, size), back = tw_i32("back", 0, size - front);
    follow_up.references[0] = source.references[0].substr((size_t)front, (size_t)(size - front - back));
    Answer first = run(source), second = run(follow_up);
    for (auto &[name, before] : first) {
        if (!before.is_mapped) CHECK(!second[name].is_mapped);
        else CHECK_LE(before.fewest_edits, second[name].fewest_edits);
    }
}

// With more edits allowed, nothing is lost, and what was best stays best.
RELATION(more_edits) {
    Task source = draw(), follow_up = source;
    follow_up.edits += tw_i32("more", 1, 2);
    Answer first = run(source), second = run(follow_up);
    for (auto &[name, before] : first) {
        if (!before.is_mapped) continue;
        CHECK(second[name].is_mapped);
        CHECK_EQ(before.fewest_edits, second[name].fewest_edits);
        CHECK_LE(before.hits, second[name].hits);
    }
}

// Everything read backwards: the same probes are mapped, with as few edits.
RELATION(reverse) {
    Task source = draw(), follow_up = source;
    std::reverse(follow_up.references[0].begin(), follow_up.references[0].end());
    for (std::string &probe : follow_up.probes) std::reverse(probe.begin(), probe.end());
    Answer first = run(source), second = run(follow_up);
    for (auto &[name, before] : first) {
        CHECK_EQ(before.is_mapped, second[name].is_mapped);
        CHECK_EQ(before.fewest_edits, second[name].fewest_edits);
    }
}

// The order of the probes does not matter.
RELATION(permute_probes) {
    Task source = draw();
    std::vector<int> order(source.probes.size());
    tw_permutation("order", order.data(), (int)order.size());
    Answer first = run(source), second = run(source, order);
    for (auto &[name, before] : first) CHECK(before.lines == second[name].lines);
}

// On both strands, the other strand of the reference does as well.
RELATION(other_strand) {
    Task source = draw();
    source.options = {"--both-strands"};
    Task follow_up = source;
    std::string &reference = follow_up.references[0];
    std::reverse(reference.begin(), reference.end());
    for (char &base : reference) base = base == 'A' ? 'T' : base == 'T' ? 'A' : base == 'C' ? 'G' : 'C';
    Answer first = run(source), second = run(follow_up);
    for (auto &[name, before] : first) {
        CHECK_EQ(before.is_mapped, second[name].is_mapped);
        CHECK_EQ(before.fewest_edits, second[name].fewest_edits);
    }
}

// A further reference leaves the hits in the first one as they are.
RELATION(further_reference) {
    Task source = draw();
    source.options.erase(std::remove(source.options.begin(), source.options.end(), "--best"), source.options.end());
    Task follow_up = source;
    follow_up.references.push_back(draw_bases("further", 1, MOST_REFERENCE));
    Answer first = run(source), second = run(follow_up);
    for (auto &[name, before] : first) {
        if (!before.is_mapped) continue;
        const Mapped &after = second[name];
        CHECK_LE(before.hits, after.hits);
        for (int i = 0; i < before.hits && i < after.hits; i++) CHECK_EQ(before.lines[(size_t)i], after.lines[(size_t)i]);
    }
}
