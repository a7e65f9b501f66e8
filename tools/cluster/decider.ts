import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD } from '../../bench/lib/money-instance.ts'
import { type Call, readUntilAnswered, settle, signIn } from './call.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Pause between two decisions in ms. */
const PAUSE_MS = 100

interface Item {
  id: string
  kind: string
}

/**
 * Approves or rejects pending payouts as a staff member until the end of the load. Chooses an API process at random for
 * each call, because the drill kills each of them.
 */
export async function decide(
  { email, urls, extraHeaders }: { email: string; urls: readonly string[]; extraHeaders: Record<string, string> },
  isOver: () => boolean,
  note: (one: Acknowledged) => void,
): Promise<void> {
  const base = () => urls[randomInt(urls.length)] as string
  const refresh = () => signIn(base(), email, PASSWORD, extraHeaders)
  let token = await refresh()
  while (!isOver()) {
    const list = (await readUntilAnswered(`${base()}/api/v1/staff/queues/payouts?for=me&limit=20`, token, extraHeaders)) as
      | { data: Item[] }
      | undefined
    for (const { id, kind } of list?.data ?? []) {
      if (isOver()) return
      const [what, name] = randomInt(2) === 0 ? ['approve', 'approveRequest'] : ['reject', 'rejectRequest']
      const url = `${base()}/api/v1/staff/queues/${kind}/${id}/${what}`
      const call: Call = { url, token, key: randomUUID(), body: JSON.stringify({ reason: 'drill' }), extraHeaders }
      const answered = await settle(call, refresh)
      token = call.token
      note({ ...answered, name, kind: undefined, call, member: 0 })
      await pause(PAUSE_MS)
    }
    await pause(PAUSE_MS)
  }
}
