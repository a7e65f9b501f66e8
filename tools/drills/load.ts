import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

/** Results of a load, as the clients saw them. */
export interface ClientResults {
  transfers: number
  rejected: number
  reads: number
  files: number
  streams: number
  /** Slowest call in ms. */
  slowest: number
  failed: Map<string, number>
}

/** Clients that use the platform until they are stopped. */
export interface Load {
  results: ClientResults
  fail(what: string): void
  /** Returns the longest time without any response since the previous call of this function, in ms. */
  outage(): number
  /** @returns the number of acknowledged transfers that the ledger does not have */
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
 * Starts demo members who pay one another, read pages, fetch files and keep live streams open until a stop.
 * @param base address of the platform
 * @param databaseUrl database with the ledger to count
 * @param files paths that must always be available
 */
export async function startLoad(base: string, databaseUrl: string, files: readonly string[], clients = 6): Promise<Load> {
  const results: ClientResults = { transfers: 0, rejected: 0, reads: 0, files: 0, streams: 0, slowest: 0, failed: new Map() }
  const fail = (what: string) => void results.failed.set(what, (results.failed.get(what) ?? 0) + 1)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const countTransfers = async () =>
    Number((await database.query("select count(*) as n from ledger_transfer where kind in ('userToUser', 'transferHeld')")).rows[0].n)
  const people = await Promise.all(['amara', 'bruno', 'chiara'].map((name) => signIn(base, `${name}@example.com`)))
  const before = await countTransfers()
  let stopped = false
  let [answeredAt, longest] = [performance.now(), 0]
  function answered(): void {
    const now = performance.now()
    longest = Math.max(longest, now - answeredAt)
    answeredAt = now
  }

  async function doOneCall(from: Payer, to: Payer): Promise<void> {
    const began = performance.now()
    const what = randomInt(3)
    if (what === 0) {
      const headers = { authorization: from.token, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ amount: 5, email: to.email })
      const { status } = await fetch(`${base}/api/v1/usd-transfer/user-to-user-deposit`, { method: 'POST', headers, body })
      if (status === 200) results.transfers += 1
      else if (status === 400) results.rejected += 1
      else fail(`transfer ${status}`)
    } else if (what === 1) {
      const { status } = await fetch(`${base}/api/v1/general-settings`, { headers: { authorization: from.token } })
      if (status === 200) results.reads += 1
      else fail(`read ${status}`)
    } else {
      for (const route of ['/', ...files]) {
        const { status } = await fetch(`${base}${route}`)
        if (status === 200) results.files += 1
        else fail(`${route} ${status}`)
      }
    }
    results.slowest = Math.max(results.slowest, performance.now() - began)
    answered()
  }

  /** Holds a page's stream, and reopens it after it ends. */
  async function watch(who: Payer): Promise<void> {
    const abort = new AbortController()
    const answer = await fetch(`${base}/api/v1/live`, { headers: { authorization: who.token }, signal: abort.signal })
    if (answer.status !== 200) return fail(`stream ${answer.status}`)
    results.streams += 1
    const reader = answer.body?.getReader()
    while (!stopped && (await reader?.read())?.done === false);
    abort.abort()
    await pause(100)
  }

  const repeatUntilStopped = async (work: () => Promise<void>) => {
    while (!stopped) {
      try {
        await work()
      } catch (error) {
        const why = error instanceof Error ? `${error.message} ${(error.cause as { code?: string } | undefined)?.code ?? ''}` : 'failed'
        if (!stopped) fail(why)
        await pause(20)
      }
    }
  }
  const personAt = (n: number) => people[n % people.length] as Payer
  const running = Promise.all([
    ...Array.from({ length: clients }, (_, n) => repeatUntilStopped(() => doOneCall(personAt(n), personAt(n + 1)))),
    ...people.map((who) => repeatUntilStopped(() => watch(who))),
  ])
  return {
    results,
    fail,
    outage: () => {
      answered()
      const outage = longest
      longest = 0
      return outage
    },
    stop: async () => {
      stopped = true
      await running
      const lost = results.transfers - ((await countTransfers()) - before)
      await database.end()
      return lost
    },
  }
}

/** Prints the results. Returns true if all are correct. */
export function report(what: string, { results }: Load, lost: number): boolean {
  const { transfers, rejected, reads, files, streams, slowest, failed } = results
  console.log(
    `${what}: ${transfers} transfers (${rejected} rejected: insufficient funds), ${reads} reads, ${files} pages and files, ${streams} streams; slowest call ${Math.round(slowest)} ms`,
  )
  console.log(`lost: ${lost}, failed: ${[...failed.values()].reduce((sum, n) => sum + n, 0)}`)
  for (const [why, count] of failed) console.log(`  ${count} × ${why}`)
  return lost === 0 && failed.size === 0
}
