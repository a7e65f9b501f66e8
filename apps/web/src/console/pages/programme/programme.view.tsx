import '../catalogue/catalogue.css'
import './programme.css'
import { staffCatalogue } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import type { Catalogue } from '../catalogue/offers.ts'
import { Pending, Since } from '../catalogue/pending.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useMe } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { changedCells, type Draft, draftOf, readDraft } from './draft.ts'
import { ProposeBar } from './propose-bar.tsx'
import { RulesForm } from './rules-form.tsx'
import { type Run, Simulate, useSimulation } from './simulate.tsx'

/** `/staff/programme`: what the reward programme pays, a draft of another one, and what the last 30 days come to under it. */
export default function ProgrammeView() {
  const read = useQuery(watch(staffCatalogue, {}))
  const { data } = read
  return (
    <div className="view on">
      <div className="page" style={{ maxWidth: 1240 }}>
        {data === undefined ? <ListState query={read} rows={0} none="" /> : <Drafting catalogue={data} />}
      </div>
    </div>
  )
}

function readRun(text: string): Run | undefined {
  try {
    const run = JSON.parse(text) as Run
    return typeof run.jobId === 'string' ? run : undefined
  } catch {
    return undefined
  }
}

function Drafting({ catalogue }: { catalogue: Catalogue }) {
  const me = useMe()
  const may = useMay('change.programme')
  const standing = catalogue.standing?.['programme']
  const holds = draftOf(catalogue.programme)
  const [kept, keep] = useDraft(`${me.person.id}:programme`)
  const [ran, keepRun] = useDraft(`${me.person.id}:programme-run`)
  const draft: Draft = kept === '' ? holds : readDraft(kept, holds)
  const run = readRun(ran)
  const { result, isOfThis } = useSimulation(run, draft)
  const isChanged = changedCells(draft, holds).size > 0
  const discard = () => {
    keep('')
    keepRun('')
  }
  return (
    <>
      <div className="head">
        <div className="grow">
          <h2 className="title">Programme</h2>
          <p className="mut">
            Version {catalogue.version.split('.')[1]} holds since {standing?.since ? <Since of={[standing]} /> : 'the start'}. A new version
            pays what is earned from its start on; nothing already earned changes.
          </p>
          <Pending of={standing} />
        </div>
        {isChanged && (
          <button type="button" className="btn gho" onClick={discard}>
            Discard
          </button>
        )}
      </div>
      <div className="g c12">
        <RulesForm draft={draft} holds={holds} onChange={may ? (next) => keep(JSON.stringify(next)) : undefined} />
        <div className="c6 g" style={{ alignContent: 'start' }}>
          <Simulate draft={draft} run={run} onRun={(next) => keepRun(JSON.stringify(next))} may={may} />
          <Bound before={catalogue.bound} after={isOfThis ? result?.bound.after : undefined} />
          {may && isChanged && <ProposeBar draft={draft} hash={isOfThis ? result?.hash : undefined} onDone={discard} />}
          {!may && <p className="sm mut">FINANCE and ADMIN can propose another one.</p>}
        </div>
      </div>
    </>
  )
}

type Bounded = Catalogue['bound']
const percent = (units: bigint) => `${(Number(units) / 1e8).toFixed(2)} %`
const monthly = ({ perMonth }: Bounded) => (perMonth === null ? 'Without a bound' : percent(perMonth))

/** What a group of members can take out at most, and by which moves (RW-14); with the draft, once it was simulated. */
function Bound({ before, after }: { before: Bounded; after: Bounded | undefined }) {
  const shown = after ?? before
  const isMoved = after !== undefined && monthly(after) !== monthly(before)
  return (
    <Panel title="What a group can take out" hint="at an unchanged price, whatever it does, with however many accounts">
      <div className="in">
        <div className="big">{monthly(shown)}</div>
        <p className="sm mut">
          a month of all money that it has, and {percent(shown.once)} once of new money
          {isMoved ? `; without the draft ${monthly(before).toLowerCase()}` : after === undefined ? '' : ', as without the draft'}
        </p>
        <dl className="kv mt12">
          {shown.moves.map((move) => (
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
