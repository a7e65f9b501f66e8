import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, readUntilAnswered, send, settle, signIn } from './call.ts'
import { PASSWORD } from '../../bench/lib/money-instance.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Approval or rejection of a proposal. */
export interface Verdict {
  proposalId: string
  what: 'approve' | 'reject'
  /** Status of the response; undefined without a final response. */
  status: number | undefined
}

interface Person {
  email: string
  urls: readonly string[]
  /** Numbers of the affected members. */
  members: readonly number[]
  /** Headers with a separate IP address, because staff cannot decide about members with the same one. */
  extraHeaders: Record<string, string>
}
interface Purchase {
  id: string
  kind: string
  reversibleUntil?: string
}

/** Pause between two actions in ms. */
const REST = 250

/** Staff actions that move money of the platform, each with an idempotency key. */
const ACTS: readonly ((
  ask: (path: string) => Promise<unknown>,
  memberId: string,
) => Promise<[name: string, path: string, body: object]>)[] = [
  async (_, memberId) => ['creditRcm', `/staff/members/${memberId}/credit-rcm`, { amount: 1 + randomInt(9) / 10 }],
  async () => ['fundRewardPool', '/staff/reward-pool/fund', { asset: randomInt(2) === 0 ? 'coin' : 'usd', amount: 1 + randomInt(5) }],
  async (ask, memberId) => {
    const found = (await ask(`/staff/members/${memberId}/purchases?limit=20`)) as { data?: Purchase[] } | Purchase[] | undefined
    const bought = (Array.isArray(found) ? found : (found?.data ?? [])).filter(({ reversibleUntil }) => reversibleUntil !== undefined)
    const { kind, id } = bought[randomInt(Math.max(1, bought.length))] ?? { kind: 'coin', id: 'none' }
    return ['reversePurchase', `/staff/purchases/${kind}/${id}/reverse`, {}]
  },
]

/** Funds the pool, and files credits and reversals until the end. */
export async function act(
  { email, urls, members, extraHeaders }: Person,
  isOver: () => boolean,
  note: (one: Acknowledged) => void,
): Promise<void> {
  const base = () => urls[randomInt(urls.length)] as string
  const refresh = () => signIn(base(), email, PASSWORD, extraHeaders)
  let token = await refresh()
  for (let turn = 0; !isOver(); turn += 1) {
    const memberId = `member-${members[randomInt(members.length)]}`
    const ask = (path: string) => readUntilAnswered(`${base()}/api/v1${path}`, token, extraHeaders)
    const [name, path, body] = await (ACTS[turn % ACTS.length] as (typeof ACTS)[number])(ask, memberId)
    const text = JSON.stringify({ ...body, reason: 'drill' })
    const call: Call = { url: `${base()}/api/v1${path}`, token, key: randomUUID(), body: text, extraHeaders }
    const answered = await settle(call, refresh)
    token = call.token
    note({ ...answered, name, kind: undefined, call, member: 0 })
    await pause(REST)
  }
}

/** Approves or rejects the proposals. These calls have no idempotency key, because a proposal is decided once. */
export async function check({ email, urls, extraHeaders }: Person, isOver: () => boolean, note: (one: Verdict) => void): Promise<void> {
  const base = () => urls[randomInt(urls.length)] as string
  const refresh = () => signIn(base(), email, PASSWORD, extraHeaders)
  let token = await refresh()
  while (!isOver()) {
    const list = (await readUntilAnswered(`${base()}/api/v1/staff/changes?status=PENDING&limit=10`, token, extraHeaders)) as
      | { data: { id: string }[] }
      | undefined
    for (const { id } of list?.data ?? []) {
      if (isOver()) return
      const what = randomInt(4) === 0 ? 'reject' : 'approve'
      const call: Call = {
        url: `${base()}/api/v1/staff/changes/${id}/${what}`,
        token,
        key: randomUUID(),
        body: '{"reason":"drill"}',
        extraHeaders,
      }
      const reply = await send(call)
      if (reply?.status === 403) token = await refresh()
      note({ proposalId: id, what, status: reply?.status })
      await pause(REST)
    }
    await pause(REST)
  }
}
