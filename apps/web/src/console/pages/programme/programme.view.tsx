import { staffCatalogue } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import type { Catalogue } from '../catalogue/offers.ts'
import { Pending, Since } from '../catalogue/pending.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { Notice } from '../../../ui/notice.tsx'
import { watch } from '../../kit/watch.ts'
import { changedCells, type Draft, draftOf, readDraft } from './draft.ts'
import { ProposeBar } from './propose-bar.tsx'
import { RulesForm } from './rules-form.tsx'
import { type Run, Simulate, useSimulation } from './simulate.tsx'
import { Button } from '../../../ui/button.tsx'
import { FactList } from '../../../ui/fact-list.tsx'

/** `/staff/programme`: current rewards, a draft, and its simulation over the last 30 days. */
export default function ProgrammeView() {
  const read = useQuery(watch(staffCatalogue, {}))
  const { data } = read
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[1200px] px-4 pt-3.5 pb-7 md:px-6 md:pt-5 md:pb-10 max-w-[1240px]">
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
  const whoCan = useWhoCan('change.programme')
  const decisions = catalogue.decisions?.['programme']
  const current = draftOf(catalogue.programme)
  const [savedDraft, saveDraft] = useDraft(`${me.person.id}:programme`)
  const [ran, keepRun] = useDraft(`${me.person.id}:programme-run`)
  const draft: Draft = savedDraft === '' ? current : readDraft(savedDraft, current)
  const run = readRun(ran)
  const { result, isOfThis } = useSimulation(run, draft)
  const isChanged = changedCells(draft, current).size > 0
  const discard = () => {
    saveDraft('')
    keepRun('')
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end gap-4 md:mb-4 md:flex-nowrap">
        <div className="min-w-0 flex-1">
          <h2 className="text-xl font-strong tracking-head">Programme</h2>
          <p className="text-muted">
            Version {catalogue.version.split('.')[1]}, in force since {decisions?.since ? <Since of={[decisions]} /> : 'the start'}. A new
            version applies to rewards earned after its start.
          </p>
          <Pending of={decisions} />
        </div>
        {isChanged && (
          <Button variant="ghost" onClick={discard}>
            Discard
          </Button>
        )}
      </div>
      <div className="grid gap-3.5 lg:grid-cols-12">
        <RulesForm draft={draft} current={current} onChange={may ? (next) => saveDraft(JSON.stringify(next)) : undefined} />
        <div className="lg:col-span-6 grid gap-3.5 content-start">
          <Simulate draft={draft} run={run} onRun={(next) => keepRun(JSON.stringify(next))} may={may} />
          <MaxGainPanel before={catalogue.maxGain} after={isOfThis ? result?.maxGain.after : undefined} />
          {may && isChanged && <ProposeBar draft={draft} hash={isOfThis ? result?.hash : undefined} onDone={discard} />}
          {!may && <p className="text-xs text-muted">{whoCan} propose another one.</p>}
        </div>
      </div>
    </>
  )
}

type MaxGain = Catalogue['maxGain']
const percent = (units: bigint) => `${(Number(units) / 1e8).toFixed(2)} %`
const monthly = ({ perMonth }: Pick<MaxGain, 'perMonth'>) => (perMonth === null ? 'No maximum' : percent(perMonth))

/** Shows the most a group of members can extract, and how (RW-14). Includes the draft after its simulation. */
function MaxGainPanel({ before, after }: { before: MaxGain; after: MaxGain | undefined }) {
  const shown = after ?? before
  const isMoved = after !== undefined && monthly(after) !== monthly(before)
  return (
    <Panel title="Maximum withdrawal of a group" hint="at an unchanged price, with any actions and any number of accounts">
      <div className="px-4 pt-3 pb-4">
        <div className="text-xl font-strong tracking-num whitespace-nowrap">{monthly(shown)}</div>
        <p className="text-xs text-muted">
          in 30 days with all earnings reinvested, and {percent(shown.once)} once of new money
          {isMoved ? `; without the draft ${monthly(before).toLowerCase()}` : after === undefined ? '' : ', as without the draft'}
        </p>
        {shown.warnings.map((warning) => (
          <Notice key={warning} tone="warning" icon={null} className="mt-2">
            {plain(warning)}.
          </Notice>
        ))}
        <FactList wrap className="mt-3">
          {shown.moves.map((move) => (
            <Move key={move.what} what={move.what} share={move.percent} />
          ))}
        </FactList>
      </div>
    </Panel>
  )
}

function Move({ what, share }: { what: string; share: bigint | null }) {
  return (
    <>
      <dt>{plain(what)}</dt>
      <dd>{monthly({ perMonth: share })}</dd>
    </>
  )
}
