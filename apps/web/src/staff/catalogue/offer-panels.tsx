import { formatAmount } from '../../ui/money-format.ts'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { asText, type Catalogue, NFT_FIELDS, type Offer, PLAN_FIELDS } from './offers.ts'
import { Pending } from './pending.tsx'

interface PanelProps {
  catalogue: Catalogue
  may: boolean
  onOffer: (offer: Offer) => void
}

const NEW_PLAN = { planName: '', duration: '', minimum: '', apy: '', omega: 'no', status: 'ACTIVE' }
const NEW_NFT = { name: '', title: '', walletName: 'dome', price: '', duration: '', dailyRoi: '', status: 'ACTIVE' }
const pick = (fields: readonly { key: string }[], from: object) =>
  Object.fromEntries(fields.map(({ key }) => [key, asText(Reflect.get(from, key))]))
/** Some amounts have no decimals to show. */
const amount = (units: bigint) => formatAmount(units, 0)

/** The plans that members may stake in, and those that are closed. */
export function PlanPanel({ catalogue, may, onOffer }: PanelProps) {
  const planned = newOnes(catalogue, 'plan')
  return (
    <Panel
      title="Stake plans"
      className="c7"
      right={
        may && (
          <button
            type="button"
            className="btn sm"
            onClick={() => onOffer({ subject: 'plan', title: 'New plan', fields: PLAN_FIELDS, holds: NEW_PLAN, whole: true })}
          >
            New plan
          </button>
        )
      }
    >
      <table className="d">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col" className="num">
              Days
            </th>
            <th scope="col" className="num">
              Smallest
            </th>
            <th scope="col" className="num">
              Total
            </th>
            <th scope="col">On sale</th>
            <th scope="col">
              <span className="sr">To come</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {catalogue.plans.map((plan) => (
            <tr key={plan.id}>
              <th scope="row" className="b">
                {plain(plan.planName)} {plan.omega === true && <span className="tag">Omega</span>}
              </th>
              <td className="num">{plan.duration}</td>
              <td className="num">{amount(plan.minimum)}</td>
              <td className="num">{asText(plan.apy)} %</td>
              <td>
                <OnSale status={plan.status} />
              </td>
              <td className="num">
                <Pending of={catalogue.standing?.[`plan ${plan.id}`]} />
                {may && (
                  <button
                    type="button"
                    className="btn sm"
                    aria-label={`Propose: ${plan.planName}`}
                    onClick={() =>
                      onOffer({
                        subject: 'plan',
                        title: plan.planName,
                        fields: PLAN_FIELDS,
                        holds: pick(PLAN_FIELDS, plan),
                        ids: { planId: plan.id },
                        whole: true,
                      })
                    }
                  >
                    Propose
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {planned.length > 0 && <p className="in">{planned}</p>}
      {catalogue.plans.length === 0 && planned.length === 0 && <p className="nothing">There is no plan yet</p>}
    </Panel>
  )
}

/** The NFTs on sale, and those that are closed. */
export function NftPanel({ catalogue, may, onOffer }: PanelProps) {
  const planned = newOnes(catalogue, 'nft')
  return (
    <Panel
      title="NFTs"
      right={
        may && (
          <button
            type="button"
            className="btn sm"
            onClick={() => onOffer({ subject: 'nft', title: 'New NFT', fields: NFT_FIELDS, holds: NEW_NFT, whole: true })}
          >
            New NFT
          </button>
        )
      }
    >
      <table className="d">
        <thead>
          <tr>
            <th scope="col">NFT</th>
            <th scope="col" className="num">
              USD
            </th>
            <th scope="col" className="num">
              Total
            </th>
            <th scope="col">Sold of its kind</th>
            <th scope="col">
              <span className="sr">To come</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {catalogue.nfts.map((nft) => {
            const cap = nft.quantity + (nft.remaining ?? 0)
            return (
              <tr key={nft.id}>
                <th scope="row" className="b">
                  {plain(nft.name)} {nft.status !== 'ACTIVE' && <OnSale status={nft.status} />}
                </th>
                <td className="num">{formatAmount(nft.price)}</td>
                <td className="num">{asText(nft.dailyRoi)} %</td>
                <td className="sm">
                  {nft.quantity.toLocaleString('en-US')} of {cap.toLocaleString('en-US')}
                  <div className="meter" aria-hidden="true">
                    <i style={{ width: `${cap === 0 ? 0 : (nft.quantity / cap) * 100}%` }} />
                  </div>
                </td>
                <td className="num">
                  <Pending of={catalogue.standing?.[`nft ${nft.id}`]} />
                  {may && (
                    <button
                      type="button"
                      className="btn sm"
                      aria-label={`Propose: ${nft.name}`}
                      onClick={() =>
                        onOffer({
                          subject: 'nft',
                          title: nft.name,
                          fields: NFT_FIELDS,
                          holds: pick(NFT_FIELDS, nft),
                          ids: { nftId: nft.id },
                          whole: true,
                        })
                      }
                    >
                      Propose
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {planned.length > 0 && <p className="in">{planned}</p>}
      {catalogue.nfts.length === 0 && planned.length === 0 && <p className="nothing">There is no NFT yet</p>}
    </Panel>
  )
}

const OnSale = ({ status }: { status: string }) => (
  <span className={status === 'ACTIVE' ? 'badge ok' : 'badge'}>{status === 'ACTIVE' ? 'Yes' : 'No'}</span>
)

/** What is proposed or planned that does not exist yet. */
function newOnes({ standing = {}, plans, nfts }: Catalogue, subject: 'plan' | 'nft') {
  const known = new Set([...plans, ...nfts].map((one) => `${subject} ${one.id}`))
  return Object.entries(standing)
    .filter(([place]) => place.startsWith(`${subject} `) && !known.has(place))
    .map(([place, of]) => <Pending key={place} of={of} />)
}
