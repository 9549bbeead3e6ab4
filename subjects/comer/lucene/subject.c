#include "../common/comer.h"

enum { DOCUMENTS = 64, TERMS = 64 };
typedef struct {
    int term[TERMS];
    int count[TERMS];
    int posting[TERMS][DOCUMENTS];
    int terms;
} Index;
void index_clear(Index *index);
void index_add(Index *index, int document, int term);
int query(const Index *index, int first, int operator, int second, int *found);

enum { DIGITS, REPEAT1, LETTERS, REPEAT2, SIGNS, REPEAT3, TERM1, TERM2, OPERATOR, DATA };

void run(const double *test, Output *output) {
    static Index index;
    int kinds[32], n = 0, found[2 * DOCUMENTS];
    int counts[] = {(int)test[DIGITS], (int)test[LETTERS], (int)test[SIGNS]};
    int repeats[] = {(int)test[REPEAT1], (int)test[REPEAT2], (int)test[REPEAT3]};
    index_clear(&index);
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < counts[kind] && n < 32; i++)
            kinds[n++] = kind * 100 + i;
    /* Each term stands in as many documents as its kind is repeated, some of them twice. */
    for (int document = 0; document < 40; document++)
        for (int i = 0; i < n; i++)
            if (element(test[DATA], 1, i * 64 + document, 40) < 4 * repeats[kinds[i] / 100]) {
                index_add(&index, document, kinds[i]);
                if (element(test[DATA], 2, i * 64 + document, 2))
                    index_add(&index, document, kinds[i]);
            }
    int terms[] = {-5, kinds[0], kinds[n / 2], kinds[n - 1], -7};
    int count = query(&index, terms[(int)test[TERM1]], (int)test[OPERATOR], terms[(int)test[TERM2]], found);
    for (int i = 0; i < count; i++)
        put(output, found[i]);
}

RULE(same_documents) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"swap", same_documents}, {"or absent", same_documents}, {"not absent", same_documents})
