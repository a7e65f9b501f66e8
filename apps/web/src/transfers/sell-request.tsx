import { leaveSellRequest, salesFund, SELL_REQUEST_DAYS, sellRequests, withdrawSellRequest } from '@tizara/contract/transfers'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { formatUnits, parseUnits, type Units } from '@tizara/money'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { formatDate } from '../lib/format.ts'
import { read, refetch } from '../lib/http/query.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { exactAmount } from '../ui/money-format.ts'
import { Notice } from '../ui/notice.tsx'
import { T } from '../ui/t.tsx'

const DEFAULT_DAYS = '30'
const STATES = texts({ OPEN: 'Open', SOLD: 'Sold', WITHDRAWN: 'Withdrawn', EXPIRED: 'Expired' })

interface SellRequestsProps {
  /** Coin that the sales fund cannot pay now, in units; null if it can. */
  beyondFund: Units | null
  /** Current sell price of one coin in USD units. */
  price: Units | undefined
  symbol: string
}

/** Offers a sell request for coin that the sales fund cannot pay now, and lists the member's requests (MF-10). */
export function SellRequests({ beyondFund, price, symbol }: SellRequestsProps) {
  const { data } = useQuery(read(sellRequests))
  if (data === undefined) return null
  const isOpen = data.data.some((row) => row.status === 'OPEN')
  return (
    <div className="space-y-3">
      {beyondFund !== null && !isOpen && price !== undefined && (
        <NewRequest key={String(price)} amount={beyondFund} price={price} symbol={symbol} />
      )}
      {data.data.length > 0 && (
        <section aria-label={t('Sell requests')}>
          <h3 className="text-sm font-semi text-ink">{t('Sell requests')}</h3>
          <ul>
            {data.data.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center justify-between gap-2 border-t py-2">
                <span>
                  <T
                    text="{sold} of {amount} {symbol} sold for {received} USD, at {lowestPrice} USD or more, until {expiresAt}"
                    sold={exactAmount(row.sold)}
                    amount={exactAmount(row.amount)}
                    symbol={symbol}
                    received={exactAmount(row.received)}
                    lowestPrice={formatUnits(row.lowestPrice)}
                    expiresAt={formatDate(row.expiresAt)}
                  />
                </span>
                <span className="flex items-center gap-2">
                  <Badge>{STATES[row.status]}</Badge>
                  {row.status === 'OPEN' && <Withdraw id={row.id} />}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function NewRequest({ amount, price, symbol }: { amount: Units; price: Units; symbol: string }) {
  const [lowest, setLowest] = useState(formatUnits(price))
  const [days, setDays] = useState(DEFAULT_DAYS)
  const { fault, pending, send } = useCall()
  const lowestPrice = parseUnits(lowest.trim(), 8)
  const isPrice = lowestPrice !== null && lowestPrice > 0n
  const isDays = /^\d{1,2}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= SELL_REQUEST_DAYS

  function leave(): void {
    if (isPrice && isDays) void send(() => call(leaveSellRequest, { body: { amount, lowestPrice, days: Number(days) } }))
  }
  return (
    <Notice tone="info" icon={null}>
      <div className="space-y-3">
        <p>
          {t(
            'The sales fund has less than this needs now. You can leave a sell request: as soon as the fund has enough, your coin is sold at the price of that moment, before new sales, and after requests that were left earlier. The coin stays in My Wallet until then, and you can withdraw the request.',
          )}
        </p>
        <Field label={t('Lowest price in USD')} error={isPrice ? undefined : t('Please enter a price')}>
          <Input inputMode="decimal" value={lowest} onChange={(event) => setLowest(event.target.value)} />
        </Field>
        <Field
          label={t('Days until it expires')}
          error={isDays ? undefined : t('Please enter 1 to {sellRequestDays} days', { sellRequestDays: SELL_REQUEST_DAYS })}
        >
          <Input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
        </Field>
        {fault !== undefined && <p className="text-sm text-danger">{fault}</p>}
        <Button type="button" pending={pending} onClick={leave}>
          <T text="Leave a sell request for {amount} {symbol}" amount={exactAmount(amount)} symbol={symbol} />
        </Button>
      </div>
    </Notice>
  )
}

function Withdraw({ id }: { id: string }) {
  const { fault, pending, send } = useCall()
  return (
    <>
      <Button type="button" size="sm" pending={pending} onClick={() => void send(() => call(withdrawSellRequest, { body: { id } }))}>
        {t('Withdraw')}
      </Button>
      {fault !== undefined && <span className="text-sm text-danger">{fault}</span>}
    </>
  )
}

/** Sends one call at a time, keeps the message of a refused call, and refetches the requests and the fund. */
function useCall() {
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  async function send(work: () => Promise<unknown>): Promise<void> {
    if (pending) return
    setPending(true)
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      setFault(toApiError(error).message)
    }
    await refetch(sellRequests, salesFund)
    setPending(false)
  }
  return { fault, pending, send }
}
