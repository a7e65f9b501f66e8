/** Cost per item: a money move, a list page, or a reward. */
export interface Cost {
  name: string
  /** Processor microseconds: the database's, and its client's. */
  database: number
  asker: number
  /** WAL bytes, and rows inserted, updated and deleted. */
  log: number
  rows: number
  /** Database growth in bytes. */
  disk: number
}

/** All measurements. */
export interface Figures {
  machine: string
  moves: readonly Cost[]
  pages: readonly Cost[]
  reward: Cost
  /** Stakes on the reward day. */
  stakes: number
  /** Bytes per new member with seven wallets. */
  member: number
}

/** Assumed yearly activity per member, and the peak relative to the mean. */
const YEAR = { moves: 24, pages: 600, rewards: 365, peak: 10 }
const SECONDS = 365 * 86_400
/** Limits: busy share of all cores, hours of a reward day, disk bytes, and WAL bytes per second. */
const LIMITS = { busy: 0.6, hours: 4, disk: 8e12, log: 100e6 }
/** Maximum workers of a reward day. */
const LANES = 8

const round = (value: number) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value >= 10 ? String(Math.round(value)) : value.toPrecision(2)
const mean = (list: readonly Cost[], of: (cost: Cost) => number) => list.reduce((sum, cost) => sum + of(cost), 0) / list.length
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map((_, place) => (place === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n')

const costs = (list: readonly Cost[]) =>
  table(
    ['', 'database, µs', 'API or worker, µs', 'log, bytes', 'rows written', 'disk, bytes'],
    list.map(({ name, database, asker, log, rows, disk }) => [name, ...[database, asker, log, rows, disk].map(round)]),
  )

/** Returns the number of members on a primary with some cores, per limit, lowest first. */
function members({ moves, pages, reward, member }: Figures, cores: number): [limit: string, members: number][] {
  const perYear = (of: (cost: Cost) => number) => YEAR.moves * mean(moves, of) + YEAR.pages * mean(pages, of) + YEAR.rewards * of(reward)
  const calls = YEAR.moves * mean(moves, (cost) => cost.database) + YEAR.pages * mean(pages, (cost) => cost.database)
  const limits: [string, number][] = [
    [`processor, calls at ${YEAR.peak} times the mean`, (cores * LIMITS.busy * 1e6) / ((YEAR.peak * calls) / SECONDS)],
    [`a reward day in ${LIMITS.hours} hours`, (Math.min(LANES, cores * LIMITS.busy) * LIMITS.hours * 3600 * 1e6) / reward.database],
    ['100 MB of log a second, while a reward day runs', (LIMITS.log * LIMITS.hours * 3600) / reward.log],
    ['8 TB of disk, one year of history', LIMITS.disk / (member + perYear((cost) => cost.disk))],
  ]
  return limits.toSorted((a, b) => a[1] - b[1])
}

const millions = (count: number) => `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} M`

/** Builds docs/capacity.md. */
export function capacityPage(figures: Figures): string {
  const { machine, moves, pages, reward, member, stakes } = figures
  const database = mean(moves, (cost) => cost.database)
  const asker = mean(moves, (cost) => cost.asker)
  const year = member + YEAR.moves * mean(moves, (cost) => cost.disk) + YEAR.rewards * reward.disk
  const primaries = [2, 16, 64].map((cores) => {
    const [first, second] = members(figures, cores)
    const moved = (cores * LIMITS.busy * 1e6) / database
    return [
      `${cores} cores`,
      `${round(moved)} a second, with ${round((moved * asker) / 1e6 / LIMITS.busy)} cores of API`,
      `${millions(first?.[1] ?? 0)} (${first?.[0]})`,
      `${millions(second?.[1] ?? 0)} (${second?.[0]})`,
    ]
  })
  return `# Capacity

Made by \`npm run bench -- capacity\` (${machine}). The first part is measured; what says *reckoned* follows from it by the
rules that stand beside it, and was not run.

## What things cost (measured)

Processor time, so that other work on the machine hardly matters: of all processes of the database, checkpoints and cleaning
included, and of the API or worker. 64 connections, calls in groups as they come.

### Money moves

${costs(moves)}

### Pages of lists

${costs(pages)}

### One reward of a day

A run over ${stakes.toLocaleString('en')} stakes, five levels: its fact, its part of the member's credit, its transfer.

${costs([reward])}

A member with seven wallets takes ${round(member)} bytes before doing anything.

## A member and year (reckoned)

With one stake that pays ${YEAR.rewards} days, ${YEAR.moves} money moves and ${YEAR.pages} pages: ${round(year / 1000)} kB, of which rewards are
${Math.round((100 * YEAR.rewards * reward.disk) / year)} %. A million members: ${round(year / 1000)} GB a year. What can be done when disk comes first: \`docs/decisions/0021-sealed-months.md\`.

## What one primary carries (reckoned)

At most ${100 * LIMITS.busy} % of the cores busy; peaks of calls at ${YEAR.peak} times the mean; a reward day within ${LIMITS.hours} hours, in up to ${LANES} lanes; 100 MB of log a
second; 8 TB of disk. API processes stand on other machines.

${table(['Primary', 'Money moves', 'Members, and what ends it first', 'and next'], primaries)}

Pages that only read go to replicas (\`DATABASE_READ_URL\`) and take no core of the primary then. More lanes than ${LANES} would need
more slots of the reward pool (\`REWARD_SHARDS\`). A checkpoint every ${Math.round(4e9 / LIMITS.log)} s at 100 MB of log a second asks for a \`max_wal_size\` above 4 GB.

## Beyond one primary (reckoned, nothing of it is built)

*What shards*: everything of a member, by member id: wallets (their numbers are member id × 16 + wallet, so the key is in the
number), transfers, lists, sources, facts, credits. *What does not*: settings, programme, catalogue, staff, audit log: small,
copied to every shard (reference tables). House accounts have slots already: a shard gets slots of its own.

*Which statements cross shards*: a transfer between two members; the five rewards of a sale and every sum of a reward day, as
the line above a member lies anywhere; the posting of a day out of one pool; leaders' totals; lists of staff; the audit's sums.
All others are of one member. Of the calls, only member to member (and the rewards of a sale, which may be held a moment
later by a job) would have to become two steps: out of the one shard into a hold, out of the hold into the other.

| Engine | What it would take | What speaks against it |
|---|---|---|
| Citus | member id as distribution column in every key; reference tables; functions that post marked as of one shard | unique keys need the column: idempotency keys of the ledger become (member, key); a reward day's sums move between nodes |
| YugabyteDB | the same SQL; hash-sharded keys; retries of serialisation conflicts, which \`inTransaction\` does | advisory locks and \`skip locked\` slices are weaker there; a commit is a round of consensus: moves cost some times as much |
| Aurora | nothing in the code: one writer, storage apart, replicas of the same storage | it lifts disk and log, not the processor of the writer |
| TigerBeetle behind \`ledger/\` | accounts and transfers leave PostgreSQL; facts stay. \`ledger/index.ts\` is all that others call | what is one transaction today (facts and money) becomes a pending transfer, the facts, and its posting, with a job for what was cut off between; history and audit read two stores |

The first step is none of these: replicas for reads, API machines, a larger primary. Of the engines, Aurora asks for no change and
lifts what comes first in the table above when that is disk or log; when it is the processor of money moves, TigerBeetle takes most off the
primary for the smallest part of the code. A mean money move takes ${round(database)} µs of the database.
`
}
