/* A stateful subject: the inputs are sequences of operations. */
#include <twinrun.h>

#include "inventory.hpp"

static const std::string articles[] = {"bolt", "nut", "screw"};

/* Plays the operations and gives what is left in the end. */
static int play(const tw_op *ops, int count) {
    Inventory inventory;
    for (int i = 0; i < count; i++) {
        const std::string &article = articles[ops[i].arg[0]];
        if (ops[i].op == 0) inventory.add(article, ops[i].arg[1]);
        else inventory.take(article, ops[i].arg[1]);
    }
    return inventory.total();
}

/* Adding some pieces at the end and taking them away again changes nothing. */
RELATION(add_and_take) {
    tw_op ops[10];
    int count = tw_ops("ops", ops, 8, "add 0..2 1..9; take 0..2 1..9");
    int article = tw_choice("article", 3);
    int pieces = tw_i32("pieces", 1, 9);

    int source = RUN(play(ops, count));
    ops[count] = tw_op{0, {article, pieces, 0}};
    ops[count + 1] = tw_op{1, {article, pieces, 0}};
    int follow_up = RUN(play(ops, count + 2));

    CHECK_EQ(source, follow_up);
}

/* The names of the articles do not matter: exchanging two of them gives the same total. */
RELATION(renamed) {
    tw_op ops[8], renamed[8];
    int count = tw_ops("ops", ops, 8, "add 0..2 1..9; take 0..2 1..9");
    for (int i = 0; i < count; i++) {
        renamed[i] = ops[i];
        renamed[i].arg[0] = 2 - ops[i].arg[0];
    }
    CHECK_EQ(RUN(play(ops, count)), RUN(play(renamed, count)));
}
