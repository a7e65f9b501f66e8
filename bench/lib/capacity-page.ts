/** Cost per item: a money move, a list page, or a reward. */
export interface Cost {
  name: string
  /** Processor time in microseconds: of the database, and of its client. */
  database: number
  api: number
  /** Bytes of WAL, and numbers of inserted, updated and deleted rows. */
  log: number
  rows: number
  /** Database growth in bytes. */
  disk: number
}

/** All measurements for the page. */
export interface Figures {
  machine: string
  moves: readonly Cost[]
  pages: readonly Cost[]
  reward: Cost
  /** Number of stakes on the reward day. */
  stakes: number
  /** Bytes per new member with seven wallets. */
  member: number
}

/** Assumed yearly activity per member, and the peak relative to the mean. */
const YEAR = { moves: 24, pages: 600, rewards: 365, peak: 10 }
const SECONDS = 365 * 86_400
/** Limits: used share of all cores, hours of a reward day, bytes of disk, and bytes of WAL per second. */
const LIMITS = { busy: 0.6, hours: 4, disk: 8e12, log: 100e6 }
/** Maximum number of workers of a reward day. */
const WORKERS = 8

const round = (value: number) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value >= 10 ? String(Math.round(value)) : value.toPrecision(2)
const mean = (list: readonly Cost[], of: (cost: Cost) => number) => list.reduce((sum, cost) => sum + of(cost), 0) / list.length
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n')

const costs = (list: readonly Cost[]) =>
  table(
    ['', 'database (µs)', 'API or worker (µs)', 'WAL (bytes)', 'rows written', 'disk (bytes)'],
    list.map(({ name, database, api, log, rows, disk }) => [name, ...[database, api, log, rows, disk].map(round)]),
  )

/** Returns how many members a primary with some cores can serve, per limit, lowest number first. */
function members({ moves, pages, reward, member }: Figures, cores: number): [limit: string, members: number][] {
  const perYear = (of: (cost: Cost) => number) => YEAR.moves * mean(moves, of) + YEAR.pages * mean(pages, of) + YEAR.rewards * of(reward)
  const calls = YEAR.moves * mean(moves, (cost) => cost.database) + YEAR.pages * mean(pages, (cost) => cost.database)
  const limits: [string, number][] = [
    [`processor, calls at ${YEAR.peak} times the mean`, (cores * LIMITS.busy * 1e6) / ((YEAR.peak * calls) / SECONDS)],
    [`a reward day in ${LIMITS.hours} hours`, (Math.min(WORKERS, cores * LIMITS.busy) * LIMITS.hours * 3600 * 1e6) / reward.database],
    ['100 MB of WAL a second during a reward day', (LIMITS.log * LIMITS.hours * 3600) / reward.log],
    ['8 TB of disk, one year of history', LIMITS.disk / (member + perYear((cost) => cost.disk))],
  ]
  return limits.toSorted((a, b) => a[1] - b[1])
}

const millions = (count: number) => `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} M`

/** Builds docs/capacity.md. */
export function capacityPage(figures: Figures): string {
  const { machine, moves, pages, reward, member, stakes } = figures
  const database = mean(moves, (cost) => cost.database)
  const api = mean(moves, (cost) => cost.api)
  const year = member + YEAR.moves * mean(moves, (cost) => cost.disk) + YEAR.rewards * reward.disk
  const primaries = [2, 16, 64].map((cores) => {
    const [first, second] = members(figures, cores)
    const moved = (cores * LIMITS.busy * 1e6) / database
    return [
      `${cores} cores`,
      `${round(moved)} a second, with ${round((moved * api) / 1e6 / LIMITS.busy)} cores of API`,
      `${millions(first?.[1] ?? 0)} (${first?.[0]})`,
      `${millions(second?.[1] ?? 0)} (${second?.[0]})`,
    ]
  })
  return `# Capacity

\`npm run bench -- capacity\` wrote this page (${machine}). The sections
marked *measured* contain measurements. The sections marked *calculated* follow from them by the stated rules and were not run.

## Cost of operations (measured)

The figures are processor time, so other work on the machine has little effect. They cover all processes of the database, with
checkpoints and vacuum, and those of the API or worker. The load is 64 connections, and the server batches the calls as they arrive.

### Money moves

${costs(moves)}

### Pages of lists

${costs(pages)}

### One reward of a day

The run covers ${stakes.toLocaleString('en')} stakes and five levels. The cost of a reward includes its accrual, its share of the member's credit, and its
transfer.

${costs([reward])}

A member with seven wallets takes ${round(member)} bytes before the first operation.

## Data of a member per year (calculated)

A member with one stake that pays ${YEAR.rewards} days, ${YEAR.moves} money moves and ${YEAR.pages} pages of lists takes ${round(year / 1000)} kB. Rewards are
${Math.round((100 * YEAR.rewards * reward.disk) / year)} % of it. A million members take ${round(year / 1000)} GB a year. If the disk is the first bottleneck, see
[decision 0021](decisions/0021-period-close.md).

## Capacity of one primary (calculated)

| Assumption | Value |
|---|---|
| busy cores | at most ${100 * LIMITS.busy} % |
| peak of calls | ${YEAR.peak} times the mean |
| duration of a reward day | at most ${LIMITS.hours} hours, with up to ${WORKERS} workers |
| WAL | at most ${LIMITS.log / 1e6} MB a second |
| disk | ${LIMITS.disk / 1e12} TB |
| API processes | on other machines |

${table(['Primary', 'Money moves', 'Members, and the first bottleneck', 'Members, and the next bottleneck'], primaries)}

With \`DATABASE_READ_URL\`, read-only pages use replicas and no core of the primary. More than ${WORKERS} workers would need more shards of
the reward pool (\`REWARD_SHARDS\`). At ${LIMITS.log / 1e6} MB of WAL a second, one checkpoint every ${Math.round(4e9 / LIMITS.log)} s needs a \`max_wal_size\` above 4 GB.

## Beyond one primary (calculated, not implemented)

Several database nodes would share the data as follows:

| Data | Location |
|---|---|
| wallets, transfers, lists, sources, accruals and credits of a member | on one node, chosen by member id; a wallet's number is member id × 16 + wallet, so it contains the key |
| settings, programme, catalogue, staff, audit log | copied to every node as reference tables, because they are small |
| system accounts | already divided into shards; each node gets some of the shards |

These statements use more than one node; all others concern one member:

- a transfer between two members,
- the five rewards of a sale and every sum of a reward day, because the upline of a member can be on any node,
- the payment of a day's rewards, because the accounts of the pool are on other nodes than most members,
- the totals of leaders,
- the lists of staff,
- the sums of the audit.

Of the calls, only a transfer between members becomes two steps: from the first node into a hold, and from the hold into the second
node. The rewards of a sale also become two steps; a job may place their holds after the sale.

| Engine | Necessary work | Disadvantage |
|---|---|---|
| Citus | member id as distribution column in every key; reference tables; posting functions declared as single-node functions | Unique keys need the column, so the ledger's idempotency keys become (member, key); the sums of a reward day move between nodes. |
| YugabyteDB | the same SQL; hash-sharded keys; retries of serialisation conflicts, which \`inTransaction\` has | Advisory locks and partitions claimed with \`skip locked\` are weaker; a commit is a consensus round, so moves cost several times as much. |
| Aurora | no change of the code: one writer, separate storage, replicas of the same storage | It removes the limits of disk and WAL, but not the processor limit of the writer. |
| TigerBeetle behind \`ledger/\` | accounts and transfers leave PostgreSQL, all other rows stay; other code calls only \`ledger/index.ts\` | One transaction for rows and money becomes a sequence: a pending transfer, the rows, and the posting of the transfer. A job completes interrupted sequences. History and audit read two stores. |

Do these first: replicas for reads, API machines, a larger primary. If disk or WAL is the first bottleneck in the table above, Aurora
removes it without a change of the code. If the processor time of money moves is the first bottleneck, TigerBeetle relieves the primary
most for the smallest change of the code. A mean money move takes ${round(database)} µs of the database.
`
}
