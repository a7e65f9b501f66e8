import { staffChanges } from '@tizara/contract/staff-changes'
import { fundRewardPool, staffRewardPool } from '@tizara/contract/staff-rewards'
import { staffOverview } from '@tizara/contract/staff'
import type { Asset } from '@tizara/contract/wallets'
import { parseUnits } from '@tizara/money'
import { useRef, useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useUnit } from '../../kit/amount.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { brief } from '../../kit/when.ts'
import { retryCall, newKey } from '../requests/queue.ts'
import { coverageText } from '../../kit/platform-status.ts'
import { poolDepletionDate, coverageWith, type PoolAsset } from './pool.ts'
import { FormError } from '../../kit/form-error.tsx'
import { Choice } from '../../kit/choice.tsx'

type Source = 'stock' | 'operator'
/** The reward pool of an asset, or the sales fund. */
type Target = Asset | 'sales'

/**
 * Funds the reward pool from stock or from outside (source `operator`), or the sales fund from outside. Stock is the coin stock, or the
 * sales fund for USD. Above the limit, or from outside, a second person approves.
 */
export function Fund({ assets, salesFund }: { assets: readonly PoolAsset[]; salesFund: bigint | undefined }) {
  const unit = useUnit()
  const may = useMay('fundRewardPool')
  const whoCan = useWhoCan('fundRewardPool')
  const [target, setTarget] = useState<Target>('coin')
  const [chosen, setSource] = useState<Source>('stock')
  const isSales = target === 'sales'
  const asset = isSales ? 'usd' : target
  const source = isSales ? 'operator' : chosen
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [errorText, setErrorText] = useState<string>()
  const key = useRef<string>(undefined)
  const pool = assets.find((one) => one.asset === asset)
  const amount = parseUnits(typed.trim().replaceAll(',', ''), 8)
  const isAmount = amount !== null && amount > 0n
  const requiresSecondPerson = source === 'operator' || (isAmount && pool?.fourEyesAbove !== undefined && amount > pool.fourEyesAbove)

  async function fund(): Promise<void> {
    if (!isAmount) return setErrorText('Please enter an amount')
    if (reason.trim() === '') return setErrorText('Enter a reason')
    key.current ??= newKey()
    try {
      const into = isSales ? ('sales' as const) : ('rewards' as const)
      const request = { body: { asset, amount, source, into, reason: reason.trim() }, idempotencyKey: key.current }
      const { data } = await retryCall(() => call(fundRewardPool, request))
      toast(
        data?.proposalId === undefined
          ? `${formatAmount(amount)} ${unit(asset)} are in the pool`
          : 'Proposed; another person has to approve it',
      )
      setTyped('')
      setReason('')
      key.current = undefined
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
    await refetch(staffRewardPool, staffChanges, staffOverview)
  }
  const change = (act: () => void) => {
    act()
    setErrorText(undefined)
    // A changed form is a new action and needs a new key.
    key.current = undefined
  }
  const limits = assets.flatMap((one) =>
    one.fourEyesAbove === undefined ? [] : [`${formatAmount(one.fourEyesAbove, 0)} ${unit(one.asset)}`],
  )
  return (
    <Panel title="Add money" right={`above ${limits.join(' or ')} two people`}>
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 items-center gap-2 flex-wrap">
          <Choice
            label="Pool or fund"
            of={[['coin', unit('coin')] as const, ['usd', unit('usd')] as const, ['sales', 'Sales fund'] as const]}
            value={target}
            onChange={(one) => change(() => setTarget(one))}
          />
          <label className="sr-only" htmlFor="fund-amount">
            Amount
          </label>
          <input
            id="fund-amount"
            className="control text-right whitespace-nowrap min-w-0 flex-1"
            inputMode="decimal"
            value={typed}
            disabled={!may}
            onChange={(event) => change(() => setTyped(event.target.value))}
          />
          <label className="sr-only" htmlFor="fund-source">
            Where it comes from
          </label>
          <select
            id="fund-source"
            className="control w-[150px]"
            value={source}
            onChange={(event) => change(() => setSource(event.target.value as Source))}
          >
            {!isSales && <option value="stock">from stock</option>}
            <option value="operator">from outside</option>
          </select>
        </div>
        {isSales
          ? salesFund !== undefined && <FundAfter now={salesFund} more={isAmount ? amount : 0n} />
          : pool !== undefined && <After of={pool} more={isAmount ? amount : 0n} />}
        <FormError text={errorText} className="mt-2" />
        {may ? (
          <div className="flex min-w-0 items-center gap-2 flex-wrap mt-3">
            <label className="sr-only" htmlFor="fund-why">
              Reason to fund
            </label>
            <input
              id="fund-why"
              className="control min-w-0 flex-1"
              maxLength={500}
              placeholder="Reason"
              value={reason}
              onChange={(event) => change(() => setReason(event.target.value))}
            />
            <SendButton variant="primary" onClick={fund}>
              {requiresSecondPerson ? 'Propose to fund' : isAmount ? `Move ${formatAmount(amount)} ${unit(asset)}` : 'Fund'}
            </SendButton>
          </div>
        ) : (
          <p className="text-xs text-faint mt-2">{whoCan} fund the pool.</p>
        )}
      </div>
    </Panel>
  )
}

/** Shows the sales fund before and after. */
function FundAfter({ now, more }: { now: bigint; more: bigint }) {
  return (
    <div className="flex min-w-0 items-center gap-2 justify-between text-xs mt-3">
      <span className="text-muted whitespace-nowrap">Available for sales of members</span>
      <span aria-live="polite">
        <span className="text-faint">{formatAmount(now)} → </span>
        <b className={more > 0n ? 'font-semi text-success' : 'font-semi'}>{formatAmount(now + more)} USD</b>
      </span>
    </div>
  )
}

/** Shows coverage before and after, and how long the pool alone would last. */
function After({ of, more }: { of: PoolAsset; more: bigint }) {
  const [before, after] = [coverageWith(of), coverageWith(of, more)]
  const [was, will] = [before, after].map((coverage) => Object.values(coverageText(coverage, 1)).join(' '))
  const until = poolDepletionDate(of, more)
  return (
    <div className="flex min-w-0 items-center gap-2 justify-between text-xs mt-3">
      <span className="text-muted whitespace-nowrap">Coverage after it</span>
      <span aria-live="polite">
        {before === null || after === null ? (
          'no rewards promised'
        ) : (
          <>
            {was !== will && <span className="text-faint">{was} → </span>}
            <b className={after >= before && more > 0n ? 'font-semi text-success' : 'font-semi'}>{will}</b>
          </>
        )}
        , {until === null ? 'the pool covers all promised rewards' : `pool alone lasts until ${brief(until, new Date(0))}`}
      </span>
    </div>
  )
}
