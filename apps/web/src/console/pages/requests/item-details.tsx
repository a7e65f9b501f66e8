import ArrowRight from 'lucide-react/icons/arrow-right'
import Eye from 'lucide-react/icons/eye'
import Flag from 'lucide-react/icons/flag'
import { useAppConfig } from '../../../settings/index.ts'
import { addressGroups } from '../../../ui/address.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Money } from '../../../ui/money.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { age, utcAndLocal, briefly } from '../../kit/when.ts'
import { Payments } from './deposit-details.tsx'
import { amountToPay, type QueueDetail, type QueueRow } from './queue.ts'
import { usePayoutAddress } from './use-payout-address.ts'
import { FactList } from '../../../ui/fact-list.tsx'

/** Shows an item's facts: arriving amount, source and recipient. */
export function ItemDetails({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
  const { tokenSymbol } = useAppConfig()
  const unit = item.asset === 'usd' ? 'USD' : tokenSymbol
  const deposit = item.kind === 'deposits'
  return (
    <>
      <div className="flex items-end gap-4">
        <div className="min-w-0 flex-1">
          <div className="text-xs text-muted">{deposit ? 'Is credited to the member' : 'Arrives at the member'}</div>
          <div className="text-[28px] leading-[34px] font-strong tracking-[-0.028em] whitespace-nowrap [&_[class*=text-]]:text-[13px]">
            <Money value={amountToPay(item)} unit={unit} />
          </div>
        </div>
        <div className="text-right whitespace-nowrap text-xs text-muted">
          <div>
            requested <Money value={item.amount} />
          </div>
          <div title={utcAndLocal(item.createdAt)}>
            {age(item.createdAt)} ago, {briefly(item.createdAt)} UTC
          </div>
        </div>
      </div>
      {deposit ? <Payments item={item} detail={detail} /> : <Flow item={item} detail={detail} />}
      {item.rule?.ceiling !== undefined && <CeilingNote rule={item.rule.name} ceiling={item.rule.ceiling} unit={unit} />}
    </>
  )
}

type Ceiling = NonNullable<NonNullable<QueueRow['rule']>['ceiling']>

const CEILING_TEXTS = { rule: 'for all members', member: 'for one member', address: 'for one address' } as const

/** Says which ceiling kept a rule from approving the payout. */
function CeilingNote({ rule, ceiling: { of, left, freeAt }, unit }: { rule: string; ceiling: Ceiling; unit: string }) {
  return (
    <p className="mt-3 text-sm text-muted">
      “{plain(rule)}” would exceed its daily ceiling {CEILING_TEXTS[of]}:{' '}
      {left === undefined ? (
        'its number of payouts was used up'
      ) : (
        <>
          <Money value={left} unit={unit} /> were left
        </>
      )}
      . It is free again on {briefly(freeAt)} UTC. Staff decide this payout.
    </p>
  )
}

const NETWORKS = ['BEP(20)', 'ERC(20)', 'TRC(20)'] as const

/** Formats a fee as `, 5 %`, if it is a whole number of basis points of the amount. */
function rate(fee: bigint | undefined, amount: bigint): string {
  const hundredths = fee === undefined || amount <= 0n ? 0n : (fee * 10_000n) / amount
  if (fee === undefined || hundredths === 0n || (hundredths * amount) / 10_000n !== fee) return ''
  return `, ${String(Number(hundredths) / 100)} %`
}

function Flow({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
  const wallet = item.kind === 'bridges' ? ('icoWallet' as const) : ('depositWallet' as const)
  const { address: revealed, reveal } = usePayoutAddress(item)
  const address = plain(revealed ?? item.address ?? '')
  return (
    <div className="mt-3.5 grid grid-cols-[minmax(0,5fr)_auto_minmax(0,6fr)] items-stretch gap-3.5 max-md:grid-cols-[1fr] max-md:gap-2">
      <div className="min-w-0 rounded-lg border px-3 py-2.5">
        <div className="text-xs text-muted">From</div>
        <div className="font-semi">{item.kind === 'bridges' ? 'My Wallet' : 'Deposit Wallet'}</div>
        <FactList tight className="text-xs mt-1">
          <dt>Leaves the hold</dt>
          <dd>
            <Money value={item.amount} />
          </dd>
          <dt>Platform fee{rate(item.platformFee, item.amount)}</dt>
          <dd>
            <Money value={-(item.platformFee ?? 0n)} />
          </dd>
          <dt>Network fee{rate(item.networkFee, item.amount)}</dt>
          <dd>
            <Money value={-(item.networkFee ?? 0n)} />
          </dd>
          <dt>Stays in the wallet</dt>
          <dd>{detail === undefined ? '…' : <Money value={detail.about.balances[wallet]} />}</dd>
        </FactList>
      </div>
      <span className="self-center text-faint max-md:rotate-90 max-md:justify-self-center">
        <ArrowRight size={16} aria-hidden="true" />
      </span>
      <div className="min-w-0 rounded-lg border px-3 py-2.5">
        <div className="flex min-w-0 items-center gap-2 justify-between">
          <span className="text-xs text-muted">To{item.network === undefined ? '' : `, ${NETWORKS[item.network] ?? item.network}`}</span>
          {revealed === undefined ? (
            <SendButton
              size="sm"
              icon={<Eye size={12} aria-hidden="true" />}
              aria-label="Show the payout address"
              title="Written to the audit log"
              onClick={async () => void (await reveal())}
            >
              Show
            </SendButton>
          ) : (
            <CopyButton text={revealed} label="Copy" variant="ghost" size="sm" />
          )}
        </div>
        <div className="mt-1">
          <span
            data-address
            className="grid grid-cols-[repeat(5,auto)] justify-start gap-x-2.5 font-mono text-[12.5px] leading-5 max-md:text-[14px] max-md:leading-6"
          >
            {revealed === undefined ? address : addressGroups(address).map((group, index) => <span key={index}>{group}</span>)}
          </span>
        </div>
        {item.addressUsed === 0 && (
          <div className="text-xs text-warning flex min-w-0 items-center mt-2 gap-1">
            <Flag size={12} aria-hidden="true" />
            Never paid before
          </div>
        )}
      </div>
    </div>
  )
}
