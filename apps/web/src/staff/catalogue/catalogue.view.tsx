import './catalogue.css'
import { staffCatalogue } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '../lib/list-parts.tsx'
import { useMe } from '../lib/me.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { watch } from '../lib/watch.ts'
import { NftPanel, PlanPanel } from './offer-panels.tsx'
import { asText, type Catalogue, GROUPS, type Offer, POPUP_FIELDS, PRICE_FIELDS } from './offers.ts'
import { Pending, Since } from './pending.tsx'
import { PricePanel } from './price-panel.tsx'
import { ProposeDialog } from './propose-dialog.tsx'

/** `/staff/catalogue`: everything that the house sells and promises, as it holds, with what is to come on the value itself. */
export default function CatalogueView() {
  const me = useMe()
  const read = useQuery(watch(staffCatalogue, {}))
  const [offer, setOffer] = useState<Offer>()
  const { data } = read
  const may = (subject: string) => me.rights.includes(`change.${subject}`)
  const proposing = (subject: string, made: () => Offer) => (may(subject) ? () => setOffer(made()) : undefined)
  return (
    <div className="view on">
      <div className="page" style={{ maxWidth: 1240 }}>
        <div className="head">
          <div className="grow">
            <h1>Catalogue</h1>
            <p className="mut">
              What holds now. Every value is changed by a proposal that another person approves; what was bought before keeps its figures.
            </p>
          </div>
          {data !== undefined && <span className="sm fnt">settings version {data.version.split('.')[0]}</span>}
        </div>
        <ListState query={read} rows={data === undefined ? 0 : 1} none="" />
        {data !== undefined && (
          <>
            <div className="g c12">
              <PricePanel
                catalogue={data}
                standing={data.standing?.['coinPrice']}
                onPropose={proposing('price', () => ({
                  subject: 'price',
                  title: 'Another coin price',
                  fields: PRICE_FIELDS,
                  holds: { coinPrice: asText(data.coinPrice) },
                }))}
              />
              <PlanPanel catalogue={data} may={may('plan')} onOffer={setOffer} />
            </div>
            <div className="g c12 mt16">
              <Settings catalogue={data} may={may} onOffer={setOffer} />
              <div className="g c5">
                <NftPanel catalogue={data} may={may('nft')} onOffer={setOffer} />
                <Announcement catalogue={data} may={may('popup')} onOffer={setOffer} />
              </div>
            </div>
          </>
        )}
      </div>
      {offer !== undefined && <ProposeDialog offer={offer} onClose={() => setOffer(undefined)} />}
    </div>
  )
}

interface PartProps {
  catalogue: Catalogue
  onOffer: (offer: Offer) => void
}

function Settings({ catalogue, may, onOffer }: PartProps & { may: (subject: string) => boolean }) {
  const values: Readonly<Record<string, unknown>> = { ...catalogue.settings, ...catalogue.limits }
  return (
    <Panel title="Settings and limits" className="c7">
      <table className="d">
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Holds now</th>
            <th scope="col" className="hide">
              Since
            </th>
            <th scope="col">
              <span className="sr">Propose</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {GROUPS.map((group) => {
            const of = group.fields.map(({ key }) => catalogue.standing?.[key])
            return (
              <tr key={group.title}>
                <th scope="row" className="b">
                  {group.title}
                </th>
                <td>
                  {group.fields.map((field) => shown(field, values[field.key])).join(', ')}
                  {group.fields.map(({ key }) => (
                    <Pending key={key} of={catalogue.standing?.[key]} />
                  ))}
                </td>
                <td className="sm hide">
                  <Since of={of} />
                </td>
                <td className="num">
                  {may(group.subject) ? (
                    <button
                      type="button"
                      className="btn sm"
                      aria-label={`Propose: ${group.title}`}
                      onClick={() =>
                        onOffer({ ...group, holds: Object.fromEntries(group.fields.map(({ key }) => [key, asText(values[key])])) })
                      }
                    >
                      Propose
                    </button>
                  ) : (
                    <span className="sm fnt">ADMIN can</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

function shown({ kind, unit }: { kind: unknown; unit?: string }, value: unknown): string {
  if (Array.isArray(value))
    return value.length > 3 ? `${value.length}, ${String(value[0])} to ${String(value.at(-1))}` : value.map(String).join(', ')
  const text = asText(value)
  const name = Array.isArray(kind) ? kind.find((one: readonly string[]) => one[0] === text)?.[1] : undefined
  const grouped = /^\d+(\.\d+)?$/.test(text) ? text.replace(/^\d+/, (whole) => Number(whole).toLocaleString('en-US')) : text
  return name ?? (unit === undefined ? grouped : `${grouped} ${unit}`)
}

function Announcement({ catalogue: { popup, standing }, may, onOffer }: PartProps & { may: boolean }) {
  const holds = { title: popup?.title ?? '', message: popup?.message ?? '', isActive: popup === null ? 'yes' : asText(popup.isActive) }
  return (
    <Panel
      title="Announcement"
      right={
        <span className={popup?.isActive === true ? 'badge ok' : 'badge'}>
          {popup?.isActive === true ? 'Shown to members' : 'Not shown'}
        </span>
      }
    >
      <div className="in">
        {popup === null ? (
          <p className="mut">There never was one.</p>
        ) : (
          <>
            <b className="b">{plain(popup.title)}</b>
            <p className="mut popup-text">{plain(popup.message)}</p>
          </>
        )}
        <Pending of={standing?.['popup']} />
        {may && (
          <p className="mt8">
            <button
              type="button"
              className="btn sm"
              onClick={() => onOffer({ subject: 'popup', title: 'Another announcement', fields: POPUP_FIELDS, holds, whole: true })}
            >
              Propose another
            </button>
          </p>
        )}
      </div>
    </Panel>
  )
}
