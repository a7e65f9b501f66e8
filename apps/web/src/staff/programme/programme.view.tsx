import '../catalogue/catalogue.css'
import { staffCatalogue } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asText, type Catalogue, type Offer, PROGRAMME } from '../catalogue/offers.ts'
import { Pending, Since } from '../catalogue/pending.tsx'
import { ProposeDialog } from '../catalogue/propose-dialog.tsx'
import { ListState } from '../lib/list-parts.tsx'
import { useMay } from '../lib/me.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { watch } from '../lib/watch.ts'

const percent = (units: bigint) => `${(Number(units) / 1e8).toFixed(2)} %`

/** `/staff/programme`: what the reward programme pays, and what a group of members could take out under it. */
export default function ProgrammeView() {
  const read = useQuery(watch(staffCatalogue, {}))
  const may = useMay('change.programme')
  const [offer, setOffer] = useState<Offer>()
  const { data } = read
  return (
    <div className="view on">
      <div className="page" style={{ maxWidth: 1240 }}>
        <div className="head">
          <div className="grow">
            <h2 className="title">Programme</h2>
            <p className="mut">A new version pays what is earned from its start on; nothing already earned changes.</p>
          </div>
          {data !== undefined && <span className="sm fnt">version {data.version.split('.')[1]}</span>}
        </div>
        <ListState query={read} rows={data === undefined ? 0 : 1} none="" />
        {data !== undefined && (
          <div className="g c12">
            <Rules catalogue={data} may={may} onOffer={setOffer} />
            <Bound bound={data.bound} />
          </div>
        )}
      </div>
      {offer !== undefined && <ProposeDialog offer={offer} onClose={() => setOffer(undefined)} />}
    </div>
  )
}

function Rules({ catalogue, may, onOffer }: { catalogue: Catalogue; may: boolean; onOffer: (offer: Offer) => void }) {
  const values: Readonly<Record<string, unknown>> = catalogue.programme
  const standing = catalogue.standing?.['programme']
  return (
    <Panel title="What it pays" className="c7" hint={<Since of={[standing]} />} right={<Pending of={standing} />}>
      <table className="d">
        <thead>
          <tr>
            <th scope="col">Reward</th>
            <th scope="col">Holds now</th>
            <th scope="col">
              <span className="sr">Propose</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {PROGRAMME.map(({ title, of, field }) => {
            const holds = asText(values[field.key])
            const unit = field.unit === undefined ? '' : ` ${field.unit}`
            return (
              <tr key={field.key}>
                <th scope="row">
                  <span className="b">{title}</span> <span className="sm mut">{of}</span>
                </th>
                <td className="popup-text">{plain(field.kind === 'ranks' ? holds : holds.replaceAll('\n', ' · ')) + unit}</td>
                <td className="num">
                  {may ? (
                    <button
                      type="button"
                      className="btn sm"
                      aria-label={`Propose: ${title}`}
                      onClick={() => onOffer({ subject: 'programme', title, fields: [field], holds: { [field.key]: holds } })}
                    >
                      Propose
                    </button>
                  ) : (
                    <span className="sm fnt">FINANCE and ADMIN can</span>
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

/** What a group of members can take out at most, and by which moves (RW-14). */
function Bound({ bound }: { bound: Catalogue['bound'] }) {
  return (
    <Panel title="What a group can take out" className="c5" hint="at an unchanged price, whatever it does, with however many accounts">
      <div className="in">
        <div className="big">{bound.perMonth === null ? 'Without a bound' : percent(bound.perMonth)}</div>
        <p className="sm mut">a month of all money that it has, and {percent(bound.once)} once of new money</p>
        <dl className="kv mt12">
          {bound.moves.map((move) => (
            <Move key={move.what} what={move.what} share={move.percent} />
          ))}
        </dl>
      </div>
    </Panel>
  )
}

function Move({ what, share }: { what: string; share: bigint }) {
  return (
    <>
      <dt>{plain(what)}</dt>
      <dd>{percent(share)}</dd>
    </>
  )
}
