#include "substitute.h"

static bool add_piece(Replacement *replacement, bool is_ditto, char c) {
    if (replacement->count >= MOST_PIECES)
        return false;
    Piece *piece = &replacement->pieces[replacement->count];
    replacement->count++;
    piece->is_ditto = is_ditto;
    piece->character = c;
    return true;
}

bool make_replacement(const char *source, Replacement *replacement) {
    replacement->count = 0;
    int i = 0;
    while (source[i] != END) {
        bool added;
        if (source[i] == DITTO)
            added = add_piece(replacement, true, DITTO);
        else
            added = add_piece(replacement, false, unescape(source, &i));
        if (!added)
            return false;
        i++;
    }
    return true;
}

static void put_matched(const char *line, int from, int to) {
    for (int i = from; i < to; i++)
        put_character(line[i]);
}

void put_replacement(const Replacement *replacement, const char *line, int from, int to) {
    for (int i = 0; i < replacement->count; i++) {
        const Piece *piece = &replacement->pieces[i];
        if (piece->is_ditto)
            put_matched(line, from, to);
        else
            put_character(piece->character);
    }
}
