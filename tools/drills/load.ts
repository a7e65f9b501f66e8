import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

/** Effect on clients under load. */
export interface Seen {
  moves: number
  refused: number
  reads: number
  files: number
  streams: number
  /** Slowest call in ms. */
  slowest: number
  failed: Map<string, number>
}

/** Clients that use the platform until they are stopped. */
export interface Load {
  seen: Seen
  fail(what: string): void
  /** Returns the longest time without any answer since the previous call, in ms. */
  outage(): number
  /** @returns the number of acknowledged moves missing in the ledger */
  stop(): Promise<number>
}

interface Payer {
  email: string
  token: string
}

async function signIn(base: string, email: string): Promise<Payer> {
  const body = JSON.stringify({ email, password: 'Play-money-2026' })
  const answer = await fetch(`${base}/api/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { email, token: ((await answer.json()) as { data: { token: string } }).data.token }
}

/**
 * Lets demo members pay one another, read, fetch files and hold live streams until stopped.
 * @param base address of the platform
 * @param databaseUrl database with the ledger to count
 * @param files paths that must always be available
 */
export async function startLoad(base: string, databaseUrl: string, files: readonly string[], clients = 6): Promise<Load> {
  const seen: Seen = { moves: 0, refused: 0, reads: 0, files: 0, streams: 0, slowest: 0, failed: new Map() }
  const fail = (what: string) => void seen.failed.set(what, (seen.failed.get(what) ?? 0) + 1)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const countMoves = async () =>
    Number((await database.query("select count(*) as n from ledger_transfer where kind in ('userToUser', 'transferHeld')")).rows[0].n)
  const people = await Promise.all(['amara', 'bruno', 'chiara'].map((name) => signIn(base, `${name}@example.com`)))
  const before = await countMoves()
  let over = false
  let [answeredAt, longest] = [performance.now(), 0]
  function answered(): void {
    const now = performance.now()
    longest = Math.max(longest, now - answeredAt)
    answeredAt = now
  }

  async function act(who: Payer, to: Payer): Promise<void> {
    const began = performance.now()
    const what = randomInt(3)
    if (what === 0) {
      const headers = { authorization: who.token, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ amount: 5, email: to.email })
      const { status } = await fetch(`${base}/api/v1/usd-transfer/user-to-user-deposit`, { method: 'POST', headers, body })
      if (status === 200) seen.moves += 1
      else if (status === 400) seen.refused += 1
      else fail(`move ${status}`)
    } else if (what === 1) {
      const { status } = await fetch(`${base}/api/v1/general-settings`, { headers: { authorization: who.token } })
      if (status === 200) seen.reads += 1
      else fail(`read ${status}`)
    } else {
      for (const place of ['/', ...files]) {
        const { status } = await fetch(`${base}${place}`)
        if (status === 200) seen.files += 1
        else fail(`${place} ${status}`)
      }
    }
    seen.slowest = Math.max(seen.slowest, performance.now() - began)
    answered()
  }

  /** Holds a page's stream, and reopens it after it ends. */
  async function watch(who: Payer): Promise<void> {
    const end = new AbortController()
    const answer = await fetch(`${base}/api/v1/live`, { headers: { authorization: who.token }, signal: end.signal })
    if (answer.status !== 200) return fail(`stream ${answer.status}`)
    seen.streams += 1
    const reader = answer.body?.getReader()
    while (!over && (await reader?.read())?.done === false);
    end.abort()
    await pause(100)
  }

  const often = async (work: () => Promise<void>) => {
    while (!over) {
      try {
        await work()
      } catch (error) {
        const why = error instanceof Error ? `${error.message} ${(error.cause as { code?: string } | undefined)?.code ?? ''}` : 'failed'
        if (!over) fail(why)
        await pause(20)
      }
    }
  }
  const at = (n: number) => people[n % people.length] as Payer
  const running = Promise.all([
    ...Array.from({ length: clients }, (_, n) => often(() => act(at(n), at(n + 1)))),
    ...people.map((who) => often(() => watch(who))),
  ])
  return {
    seen,
    fail,
    outage: () => {
      answered()
      const was = longest
      longest = 0
      return was
    },
    stop: async () => {
      over = true
      await running
      const lost = seen.moves - ((await countMoves()) - before)
      await database.end()
      return lost
    },
  }
}

/** Prints the results. Returns true if all are correct. */
export function report(what: string, { seen }: Load, lost: number): boolean {
  const { moves, refused, reads, files, streams, slowest, failed } = seen
  console.log(
    `${what}: ${moves} moves (${refused} refused for money), ${reads} reads, ${files} pages and files, ${streams} streams; slowest call ${Math.round(slowest)} ms`,
  )
  console.log(`lost: ${lost}, failed: ${[...failed.values()].reduce((sum, n) => sum + n, 0)}`)
  for (const [why, count] of failed) console.log(`  ${count} × ${why}`)
  return lost === 0 && failed.size === 0
}
