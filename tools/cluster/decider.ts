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
 * Approves or rejects pending payouts as a staff member until the end of the load. Alternates between the API processes, because the
 * drill kills both.
 */
export async function decide(
  { email, urls, more }: { email: string; urls: readonly string[]; more: Record<string, string> },
  isOver: () => boolean,
  note: (one: Acknowledged) => void,
): Promise<void> {
  const base = () => urls[randomInt(urls.length)] as string
  const refresh = () => signIn(base(), email, PASSWORD, more)
  let token = await refresh()
  while (!isOver()) {
    const list = (await readUntilAnswered(`${base()}/api/v1/staff/queues/payouts?for=me&limit=20`, token, more)) as
      | { data: Item[] }
      | undefined
    for (const { id, kind } of list?.data ?? []) {
      if (isOver()) return
      const [what, name] = randomInt(2) === 0 ? ['approve', 'approveRequest'] : ['reject', 'rejectRequest']
      const url = `${base()}/api/v1/staff/queues/${kind}/${id}/${what}`
      const call: Call = { url, token, key: randomUUID(), body: JSON.stringify({ reason: 'drill' }), more }
      const answered = await settle(call, refresh)
      token = call.token
      note({ ...answered, name, kind: undefined, call, member: 0 })
      await pause(PAUSE_MS)
    }
    await pause(PAUSE_MS)
  }
}
