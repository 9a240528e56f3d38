/* State machines: protocols, lexers, timers. */
#include <stdint.h>

enum state { IDLE, HEADER, BODY, DONE, STATES };

struct machine {
    enum state state;
    uint8_t frame[40];
    uint8_t length;
    uint8_t received;
};

static const int COST[STATES] = {0, 3, 5, 1};

int machine_step(struct machine *m, uint8_t byte) {
    switch (m->state) {
    case IDLE:
        if (byte == 0x7e)
            m->state = HEADER;
        return 0;
    case HEADER:
        if (byte == 0 || byte > sizeof m->frame) {
            m->state = IDLE;
            return -1;
        }
        m->length = byte;
        m->received = 0;
        m->state = BODY;
        return 0;
    case BODY:
        if (m->received >= m->length || m->received >= sizeof m->frame) {
            m->state = IDLE;
            return -1;
        }
        m->frame[m->received++] = byte;
        if (m->received == m->length)
            m->state = DONE;
        return 0;
    default:
        return 1;
    }
}

/* The costs of a way of eight steps through the states. */
int total_cost(unsigned inputs) {
    int state = IDLE, cost = 0;
    for (int i = 0; i < 8; i++) {
        cost += COST[state];
        if (inputs >> i & 1)
            state = state == DONE ? IDLE : state + 1;
    }
    return cost;
}

/* A state outside of the table. */
int cost_of(const struct machine *m) {
    return COST[m->state];
}

struct timer {
    uint32_t now;
    uint32_t period;
    uint32_t expired;
};

/* How many periods have passed. */
uint32_t timer_advance(struct timer *t, uint32_t ticks) {
    uint32_t before = t->now;
    if (t->period == 0)
        return 0;
    t->now += ticks;
    if (t->now < before)
        t->expired = 0;
    t->expired += ticks / t->period;
    return t->expired;
}
