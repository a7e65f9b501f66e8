import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { emailOf, LEADERS, PASSWORD } from '../../bench/lib/money-instance.ts'
import { type MoneyRoute, moneyRoutes } from '../../bench/lib/money-routes.ts'
import { type Call, readUntilAnswered, settle, signIn } from './call.ts'
import { decide } from './decider.ts'
import { type Order, payIn } from './depositor.ts'
import { act, check, type Verdict } from './staff-acts.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Load on the cluster: members who call random money routes, and staff who decide. */
export interface Load {
  acknowledged: Acknowledged[]
  /** Hosted payments that members have requested. */
  orders: Order[]
  /** Decisions of the approver about proposals. */
  verdicts: Verdict[]
  /** Numbers of responses that clients must never see, by what was wrong with them. */
  unacceptable: Map<string, number>
  /** Number of reads directly after a successful response. */
  reads: number
  /** Results since a time: longest gap without a completed money movement in ms, and duration in ms and name of the slowest call. */
  seenSince(moment: number): { gap: number; slowest: number; name: string }
  /** Waits until a money movement that is sent after this call is complete. */
  waitForMove(): Promise<void>
  stop(): Promise<void>
}

/** Maximum time until a response, in ms. */
const MAX_RESPONSE_MS = 15_000
/** One call in 8 exceeds the balance. One move in 6 is read directly after the response. */
const EXCESSIVE_EVERY = 8
const READ_EVERY = 6
/** Maximum pause of a member between two calls, in ms. */
const MAX_PAUSE_MS = 200

/** Replaces the amount in a body, if it has one, by an amount above every wallet's balance. */
const tooMuch = (body: object): object => ('amount' in body ? { ...body, amount: 90_000_000 } : body)

/** Number of members who also make deposits. */
const PAYERS = 4

/** Returns kind and id of the receipt in a response. */
const receiptOf = (text: string): { kind: string; id: string } | undefined =>
  (JSON.parse(text) as { data?: { receipt?: { kind: string; id: string } } | null }).data?.receipt

/**
 * Starts members who deposit, pay, buy, stake and withdraw, each with their own money, and staff who approve, reject, credit, fund
 * and reverse. A call without a final response is repeated with the same key.
 * @param senders funded members, each with one call in flight
 * @param receivers numbers of members who may be paid
 * @param staff addresses of deciding staff, and the API processes used by them
 */
export async function startLoad(
  base: string,
  senders: readonly number[],
  receivers: number,
  staff: { emails: readonly [decides: string, acts: string, checks: string]; urls: readonly string[] },
): Promise<Load> {
  const routes = moneyRoutes()
  const done: number[] = []
  let stopped = false
  const load: Load = {
    acknowledged: [],
    orders: [],
    verdicts: [],
    unacceptable: new Map(),
    reads: 0,
    seenSince: (moment) => {
      const first = Math.max(
        0,
        done.findLastIndex((time) => time <= moment),
      )
      const gap = done.slice(first + 1).reduce((max, time, index) => Math.max(max, time - (done[first + index] ?? time)), 0)
      const { took: slowest, name } = ended.reduce((max, one) => (one.at > moment && one.took > max.took ? one : max), {
        at: 0,
        took: 0,
        name: '',
      })
      return { gap, slowest, name }
    },
    waitForMove: async () => {
      const now = performance.now()
      while (begunOfDone <= now) await pause(20)
    },
    stop: async () => {
      stopped = true
      await running
    },
  }
  const ended: { at: number; took: number; name: string }[] = []
  let begunOfDone = 0
  const recordUnacceptable = (what: string) => void load.unacceptable.set(what, (load.unacceptable.get(what) ?? 0) + 1)

  /** Records a response and its duration. */
  function recordCall(one: Acknowledged): void {
    const at = performance.now()
    if (one.slowest > MAX_RESPONSE_MS) recordUnacceptable('a single answer took more than 15 s')
    if (one.status >= 500 || one.status === 401) recordUnacceptable(`${one.name}: ${one.status} ${one.text.slice(0, 120)}`)
    else load.acknowledged.push(one)
    ended.push({ at, took: one.took, name: `${one.name}, sent ${one.sent} times` })
    if (one.status !== 200) return
    done.push(at)
    begunOfDone = Math.max(begunOfDone, at - one.took)
  }

  async function member(number: number, index: number): Promise<void> {
    const refresh = () => signIn(base, emailOf(number), PASSWORD)
    let token = await refresh()
    for (let turn = index; !stopped; turn += 1) {
      const route = routes[randomInt(routes.length)] as MoneyRoute
      const input = route.body(turn, emailOf(LEADERS + 1 + randomInt(receivers)))
      const body = JSON.stringify(randomInt(EXCESSIVE_EVERY) === 0 ? tooMuch(input) : input)
      const call: Call = { url: `${base}/api/v1${route.path}`, token, key: randomUUID(), body }
      const answered = await settle(call, refresh)
      token = call.token
      recordCall({ ...answered, name: route.name, kind: route.kind, call, member: number })
      const receipt = answered.status === 200 && randomInt(READ_EVERY) === 0 ? receiptOf(answered.text) : undefined
      if (receipt !== undefined) {
        load.reads += 1
        if ((await readUntilAnswered(`${base}/api/v1/receipts/${receipt.kind}/${receipt.id}`, token)) === undefined)
          recordUnacceptable(`a member did not see their own transfer: ${route.name} ${receipt.id}`)
      }
      await pause(randomInt(MAX_PAUSE_MS))
    }
  }

  const isOver = () => stopped
  const { urls } = staff
  const desk = (index: 0 | 1 | 2) => ({
    email: staff.emails[index],
    urls,
    members: senders,
    // Uses a separate IP address, because staff cannot decide about members with the same one.
    extraHeaders: { 'x-forwarded-for': `192.0.2.${9 + index}` },
  })
  const payers = senders.slice(0, PAYERS).map((number) =>
    payIn(
      base,
      number,
      () => signIn(base, emailOf(number), PASSWORD),
      isOver,
      (order) => void load.orders.push(order),
    ),
  )
  const running = Promise.all([
    ...senders.map(member),
    ...payers,
    decide(desk(0), isOver, recordCall),
    act(desk(1), isOver, recordCall),
    check(desk(2), isOver, (one) => void load.verdicts.push(one)),
  ])
  return load
}
