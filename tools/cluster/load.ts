import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { emailOf, LEADERS, PASSWORD } from '../../bench/lib/money-house.ts'
import { type MoneyRoute, moneyRoutes } from '../../bench/lib/money-routes.ts'
import { type Call, look, settle, signIn } from './call.ts'
import { decide } from './decider.ts'
import { type Order, payIn } from './depositor.ts'
import { act, check, type Verdict } from './staff-acts.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Members who call every money route at random, and staff who decide, until they are stopped. */
export interface Load {
  acknowledged: Acknowledged[]
  /** Payments at the provider that members opened. */
  orders: Order[]
  /** What one of staff decided of what another one had filed. */
  verdicts: Verdict[]
  /** Answers that the product may not give, whatever breaks, with how often. */
  foreign: Map<string, number>
  /** How often a member looked at once for what was just answered. */
  looks: number
  /** What people saw since a moment, in milliseconds: the longest time in which no move was done, and the slowest call with its name. */
  seenSince(moment: number): { gap: number; slowest: number; name: string }
  /** Waits until a move is done that was sent after now. */
  works(): Promise<void>
  stop(): Promise<void>
}

/** Each single answer has to come within this, in milliseconds. */
const ANSWERED = 15_000
/** One call of so many asks for more than there is, and one look follows so many moves. */
const REFUSED_EACH = 8
const LOOK_EACH = 6
/** Most that a member waits between two calls, in milliseconds. */
const REST = 200

/** More than any wallet holds, where the route is asked for an amount. */
const tooMuch = (body: object): object => ('amount' in body ? { ...body, amount: 90_000_000 } : body)

/** Members who pay in besides. */
const PAYERS = 4

/** The receipt that an answer names. */
const receiptOf = (text: string): { kind: string; id: string } | undefined =>
  (JSON.parse(text) as { data?: { receipt?: { kind: string; id: string } } | null }).data?.receipt

/**
 * Starts members who pay in, pay, buy, stake and withdraw, each with its own money, and staff who approve and reject, credit, fund
 * and undo. A call without a final answer is repeated under its key until it has one.
 * @param senders members with money, of whom each keeps one call in flight
 * @param receivers numbers of members who may be paid
 * @param staff addresses of those who decide, and the API processes that are asked for it
 */
export async function startLoad(
  base: string,
  senders: readonly number[],
  receivers: number,
  staff: { emails: readonly [decides: string, acts: string, checks: string]; urls: readonly string[] },
): Promise<Load> {
  const routes = moneyRoutes()
  const done: number[] = []
  let over = false
  const load: Load = {
    acknowledged: [],
    orders: [],
    verdicts: [],
    foreign: new Map(),
    looks: 0,
    seenSince: (moment) => {
      const first = Math.max(
        0,
        done.findLastIndex((time) => time <= moment),
      )
      const gap = done.slice(first + 1).reduce((most, time, index) => Math.max(most, time - (done[first + index] ?? time)), 0)
      const { took: slowest, name } = ended.reduce((most, one) => (one.at > moment && one.took > most.took ? one : most), {
        at: 0,
        took: 0,
        name: '',
      })
      return { gap, slowest, name }
    },
    works: async () => {
      const now = performance.now()
      while (begunOfDone <= now) await pause(20)
    },
    stop: async () => {
      over = true
      await running
    },
  }
  const ended: { at: number; took: number; name: string }[] = []
  let begunOfDone = 0
  const foreign = (what: string) => void load.foreign.set(what, (load.foreign.get(what) ?? 0) + 1)

  /** Writes an answer down, and what members saw of it. */
  function note(one: Acknowledged): void {
    const at = performance.now()
    if (one.slowest > ANSWERED) foreign('a single answer took more than 15 s')
    if (one.status >= 500 || one.status === 401) foreign(`${one.name}: ${one.status} ${one.text.slice(0, 120)}`)
    else load.acknowledged.push(one)
    ended.push({ at, took: one.took, name: `${one.name}, sent ${one.sent} times` })
    if (one.status !== 200) return
    done.push(at)
    begunOfDone = Math.max(begunOfDone, at - one.took)
  }

  async function member(number: number, place: number): Promise<void> {
    const refresh = () => signIn(base, emailOf(number), PASSWORD)
    let token = await refresh()
    for (let turn = place; !over; turn += 1) {
      const route = routes[randomInt(routes.length)] as MoneyRoute
      const wish = route.body(turn, emailOf(LEADERS + 1 + randomInt(receivers)))
      const body = JSON.stringify(randomInt(REFUSED_EACH) === 0 ? tooMuch(wish) : wish)
      const call: Call = { url: `${base}/api/v1${route.path}`, token, key: randomUUID(), body }
      const answered = await settle(call, refresh)
      token = call.token
      note({ ...answered, name: route.name, kind: route.kind, call, member: number })
      const receipt = answered.status === 200 && randomInt(LOOK_EACH) === 0 ? receiptOf(answered.text) : undefined
      if (receipt !== undefined) {
        load.looks += 1
        if ((await look(`${base}/api/v1/receipts/${receipt.kind}/${receipt.id}`, token)) === undefined)
          foreign(`a member did not see the own move: ${route.name} ${receipt.id}`)
      }
      await pause(randomInt(REST))
    }
  }

  const isOver = () => over
  const { urls } = staff
  const desk = (place: 0 | 1 | 2) => ({
    email: staff.emails[place],
    urls,
    members: senders,
    // Staff sit elsewhere: who shares an address with a member may not decide about that one.
    more: { 'x-forwarded-for': `192.0.2.${9 + place}` },
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
    decide(desk(0), isOver, note),
    act(desk(1), isOver, note),
    check(desk(2), isOver, (one) => void load.verdicts.push(one)),
  ])
  return load
}
