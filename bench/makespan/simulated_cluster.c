/* See simulated_cluster.h.
 *
 * Invariant: what workers do up to a time is decided only when nothing that the coordinator may still
 * do can change it: jobs are given to slots up to the next answer, or up to now where one is cancelled. */
#include "simulated_cluster.h"

enum { MOST_SLOTS = 2048, MOST_QUEUED = 1 << 16 };

enum state { FREE, QUEUED, AT_WORK, OVER };

struct job {
    enum state state;
    bool is_cancelled;
    double answers;   /* AT_WORK, OVER: when the coordinator hears */
    unsigned machine; /* AT_WORK: its slot there */
    uint64_t order;
    pare_outcome outcome;
};

struct queued {
    double at;
    unsigned slot;
    uint64_t order; /* of the job, which has another by now where it was cancelled */
};

struct simulated_cluster {
    struct simulated_oracle draws; /* the test and the durations */
    struct cluster_model model;
    pare_oracle head;
    double now;
    uint64_t n_started;
    unsigned n_wanted; /* jobs that are queued or at work, and not cancelled */
    struct job jobs[MOST_SLOTS];
    double asks[MOST_SLOTS];   /* when the question of each slot for a job is there */
    double begins[MOST_SLOTS]; /* when its last job began */
    struct queued queue[MOST_QUEUED];
    size_t first, last;
};

static struct simulated_cluster *of(pare_oracle *oracle)
{
    return (struct simulated_cluster *)((char *)oracle - offsetof(struct simulated_cluster, head));
}

static unsigned first_to_ask(const struct simulated_cluster *self)
{
    unsigned first = 0;
    for (unsigned k = 1; k < self->model.n_slots; k++)
        if (self->asks[k] < self->asks[first]) first = k;
    return first;
}

/* When the first of the queue comes to a slot; INFINITY: nothing is queued. */
static double next_match(const struct simulated_cluster *self)
{
    if (self->first == self->last) return INFINITY;
    const double at = self->queue[self->first % MOST_QUEUED].at;
    const double asks = self->asks[first_to_ask(self)];
    return at > asks ? at : asks;
}

/* Gives the first of the queue to the first slot that asks, at that time. */
static void match(struct simulated_cluster *self, double at)
{
    const struct queued *next = &self->queue[self->first++ % MOST_QUEUED];
    const double latency = self->model.latency;
    const unsigned k = first_to_ask(self);
    struct job *job = &self->jobs[next->slot];
    if (job->state != QUEUED || job->order != next->order) {
        self->asks[k] = at + 2 * latency; /* it is passed over */
        return;
    }
    job->state = AT_WORK;
    job->machine = k;
    self->begins[k] = at + latency;
    job->answers = self->begins[k] + simulated_duration(&self->draws) + latency;
    self->asks[k] = job->answers;
}

static pare_status start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err)
{
    struct simulated_cluster *self = of(oracle);
    unsigned char *bytes = malloc(candidate->size + 1);
    (void)err;
    if (!bytes || self->last - self->first == MOST_QUEUED) abort();
    pare_candidate_read(candidate, bytes);
    self->now += self->model.cost / 2;
    self->jobs[slot] =
        (struct job){.state = QUEUED,
                     .order = ++self->n_started,
                     .outcome = self->draws.test(self->draws.context, bytes, candidate->size)};
    self->queue[self->last++ % MOST_QUEUED] =
        (struct queued){.at = self->now, .slot = slot, .order = self->n_started};
    self->n_wanted++;
    free(bytes);
    return PARE_OK;
}

static void cancel(pare_oracle *oracle, unsigned slot)
{
    struct simulated_cluster *self = of(oracle);
    struct job *job = &self->jobs[slot];
    for (double at; (at = next_match(self)) <= self->now;)
        match(self, at);
    if (job->is_cancelled || (job->state != QUEUED && job->state != AT_WORK)) return;
    if (job->state == AT_WORK) {
        const double heard = self->now + self->model.latency, begins = self->begins[job->machine];
        const double free_at = (heard > begins ? heard : begins) + self->model.latency;
        if (free_at < self->asks[job->machine]) self->asks[job->machine] = free_at;
    }
    job->state = OVER;
    job->is_cancelled = true;
    job->answers = self->now;
    if (!--self->n_wanted) self->first = self->last;
}

/* The job that is heard of next; NULL: none is away. */
static struct job *next_answer(struct simulated_cluster *self)
{
    struct job *next = NULL;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        struct job *job = &self->jobs[k];
        if (job->state != AT_WORK && job->state != OVER) continue;
        if (!next || job->answers < next->answers ||
            (job->answers <= next->answers && job->order < next->order))
            next = job;
    }
    return next;
}

static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    struct simulated_cluster *self = of(oracle);
    (void)timeout_ms;
    (void)err;
    struct job *next = next_answer(self);
    /* What begins before that answer may answer before it. */
    for (double at; (at = next_match(self)) < INFINITY && !(next && next->answers < at);) {
        match(self, at);
        next = next_answer(self);
    }
    if (!next) return *what = PARE_WAIT_INTERRUPTED, PARE_OK;
    if (next->answers > self->now) self->now = next->answers;
    self->now += next->is_cancelled ? 0 : self->model.cost / 2;
    self->n_wanted -= next->state == AT_WORK;
    *what = PARE_WAIT_VERDICT;
    *verdict = (pare_verdict){.slot = (unsigned)(next - self->jobs),
                              .cancelled = next->is_cancelled,
                              .outcome = next->outcome,
                              .duration_ms = 1,
                              .exit_code = -1};
    next->state = FREE;
    return PARE_OK;
}

static void destroy(pare_oracle *oracle)
{
    (void)oracle;
}

struct simulated_cluster *simulated_cluster_new(const struct cluster_model *model,
                                                simulated_test test, void *context, uint64_t seed)
{
    static const pare_oracle_ops ops = {
        .start = start, .cancel = cancel, .wait = wait_for, .destroy = destroy};
    struct simulated_cluster *self = calloc(1, sizeof *self);
    if (!self || model->n_slots + model->n_ahead > MOST_SLOTS) return free(self), NULL;
    simulated_init(&self->draws, 1, test, context, seed);
    self->model = *model;
    self->head = (pare_oracle){.ops = &ops, .n_slots = model->n_slots + model->n_ahead};
    return self;
}

void simulated_cluster_free(struct simulated_cluster *cluster)
{
    free(cluster);
}

pare_oracle *simulated_cluster_oracle(struct simulated_cluster *cluster)
{
    return &cluster->head;
}

const double *simulated_cluster_clock(const struct simulated_cluster *cluster)
{
    return &cluster->now;
}
