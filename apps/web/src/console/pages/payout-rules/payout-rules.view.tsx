import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { type PayoutRule, staffPayoutRules, stopPayoutRules } from '@tizara/contract/staff-payout-rules'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Amount } from '../../kit/amount.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'
import { describePayoutRule } from '../proposals/payout-rule-text.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { faultOfRules } from './rule-form.ts'

// Loads the preview only for a draft.
const ProposeValue = lazy(async () => ({ default: (await import('../catalogue/propose-value.tsx')).ProposeValue }))

type Rules = ReplyOf<typeof staffPayoutRules>

/** `/staff/payout-rules`: rules that decide payouts without a person, today's ceilings, draft, and switch. */
export default function PayoutRulesView() {
  const rules = useQuery(watch(staffPayoutRules, {}))
  const [draft, setDraft] = useState<readonly PayoutRule[]>()
  const [stopping, setStopping] = useState(false)
  const { data } = rules
  const mayPropose = useMay('change.payout-rules')
  const mayStop = useMay('stopPayoutRules')
  const whoProposes = useWhoCan('change.payout-rules')
  const whoStops = useWhoCan('stopPayoutRules')
  const isOn = data !== undefined && (data.rules.length > 0 || data.planned.length > 0)
  const edit = () => data !== undefined && setDraft(data.rules.length > 0 ? data.rules : data.rulesBeforeOff)
  return (
    <Page
      title="Payout rules"
      hint="The first rule that matches a payout decides. Payouts without a match wait for staff."
      right={
        <div className="flex flex-wrap gap-2">
          {isOn && (
            <Button
              variant="danger"
              aria-disabled={!mayStop}
              title={mayStop ? undefined : whoStops}
              onClick={() => mayStop && setStopping(true)}
            >
              Switch off
            </Button>
          )}
          {draft === undefined && data !== undefined && (
            <Button aria-disabled={!mayPropose} title={mayPropose ? undefined : whoProposes} onClick={() => mayPropose && edit()}>
              Draft new rules
            </Button>
          )}
        </div>
      }
    >
      {data?.offWhy !== undefined && <Off rules={data} />}
      <Panel title="In force" className="mt-3" hint={data !== undefined && data.rules.length > 0 ? <Approved rules={data} /> : undefined}>
        <ListState query={rules} rows={data?.rules.length ?? 0} none="No rules in force" hint="Every payout waits for staff." />
        {data !== undefined && <RuleList rules={data.rules} today={data.today} />}
      </Panel>
      {data?.planned.map((version) => (
        <Panel key={version.version} title={`From ${briefly(version.startsAt)} UTC`} className="mt-3">
          <RuleList rules={version.rules} />
        </Panel>
      ))}
      {draft !== undefined && <Draft rules={draft} onChange={setDraft} />}
      {stopping && <PauseDialog onClose={() => setStopping(false)} />}
    </Page>
  )
}

const WHY = {
  NONE: 'No rules were approved yet.',
  STOPPED: 'The rules are off. Two people switch rules on again, with a proposal.',
  RESTORED:
    'The rules are off, because the database was restored from a backup. Check the payouts since the backup, then propose them again.',
  FORGED: 'The rules are off, because they were changed outside the application. Check who can write to the database.',
} as const

const Off = ({ rules: { offWhy = 'NONE', by, since, reason } }: { rules: Rules }) => (
  <Notice tone={offWhy === 'FORGED' || offWhy === 'RESTORED' ? 'danger' : 'accent'}>
    {WHY[offWhy]}
    {offWhy === 'STOPPED' && by !== undefined && since !== null && (
      <span className="block text-xs">
        {plain(by.name)}, {briefly(since)} UTC: “{plain(reason ?? '')}”
      </span>
    )}
  </Notice>
)

const Approved = ({ rules: { version, by, since } }: { rules: Rules }) => (
  <>
    Version {version}
    {since !== null && `, since ${briefly(since)} UTC`}
    {by !== undefined && `, approved by ${plain(by.name)}`}
  </>
)

function RuleList({
  rules,
  today,
  actions,
}: {
  rules: readonly PayoutRule[]
  today?: Rules['today']
  actions?: (index: number) => ReactNode
}) {
  return (
    <ol>
      {rules.map((rule, index) => (
        <li key={rule.name} className="flex flex-wrap gap-x-4 gap-y-1.5 border-b px-4 py-3 last:border-b-0">
          <div className="min-w-0 flex-1 basis-72">
            <h4 className="font-semi break-words">
              {index + 1}. {plain(rule.name)}
            </h4>
            <p className="text-muted">{describePayoutRule(rule)}</p>
          </div>
          {today !== undefined && <Today rule={rule} use={today.find(({ name }) => name === rule.name)} />}
          {actions?.(index)}
        </li>
      ))}
    </ol>
  )
}

/** Shows today's use of a rule, with links to its payouts. */
function Today({ rule, use }: { rule: PayoutRule; use: Rules['today'][number] | undefined }) {
  if (use === undefined) return null
  const asset = rule.kind === 'bridge' ? 'coin' : 'usd'
  const view = (who: string) => `/staff/payouts?${new URLSearchParams({ for: who, rule: rule.name }).toString()}`
  if (rule.action !== 'approve')
    return (
      <Link href={view('me')} className="link">
        {use.waiting} waiting
      </Link>
    )
  return (
    <dl className="text-xs text-muted md:text-right" aria-label="Used today">
      <dt className="sr-only">Payouts today</dt>
      <dd>
        <Link href={view('decided')} className="link">
          {use.approved} of {rule.dayCount} today
        </Link>
      </dd>
      <dt className="sr-only">Sum today</dt>
      <dd>
        <Amount asset={asset} value={use.sum} /> of <Amount asset={asset} value={rule.daySum} />
      </dd>
    </dl>
  )
}

function Draft({ rules, onChange }: { rules: readonly PayoutRule[]; onChange: (rules: readonly PayoutRule[] | undefined) => void }) {
  const [editing, setEditing] = useState<number>()
  const value = useMemo(() => ({ rules: [...rules] }), [rules])
  const move = (index: number, by: number) => {
    const rule = rules[index]
    if (rule !== undefined) onChange(rules.toSpliced(index, 1).toSpliced(index + by, 0, rule))
  }
  return (
    <Panel
      title="Draft"
      className="mt-3"
      hint="Only you see it until you propose it."
      right={
        <div className="flex gap-2">
          <Button size="sm" onClick={() => setEditing(rules.length)}>
            Add a rule
          </Button>
          <Button size="sm" onClick={() => onChange(undefined)}>
            Discard
          </Button>
        </div>
      }
    >
      <RuleList
        rules={rules}
        actions={(index) => (
          <div className="flex flex-wrap items-start gap-1.5">
            <Button size="sm" onClick={() => setEditing(index)}>
              Edit<span className="sr-only"> rule {index + 1}</span>
            </Button>
            <Button size="sm" aria-disabled={index === 0} onClick={() => index > 0 && move(index, -1)}>
              Up<span className="sr-only"> rule {index + 1}</span>
            </Button>
            <Button size="sm" onClick={() => onChange(rules.toSpliced(index, 1))}>
              Remove<span className="sr-only"> rule {index + 1}</span>
            </Button>
          </div>
        )}
      />
      <Suspense fallback={null}>
        <ProposeValue
          change={{ subject: 'payout-rules', value }}
          verbs={['Try on the last 30 days', 'Propose these rules']}
          faultOf={() => faultOfRules(rules)}
          onProposed={() => onChange(undefined)}
        />
      </Suspense>
      {editing !== undefined && (
        <RuleDialog
          rule={rules[editing]}
          onSave={(rule) => {
            onChange(rules.toSpliced(editing, 1, rule))
            setEditing(undefined)
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}

function PauseDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      title="Switch the payout rules off"
      effects={[
        'No rule approves a payout any more. Payouts wait for staff.',
        'Planned rules and open proposals of rules end.',
        'Two people switch rules on again.',
      ]}
      verb="Switch off"
      danger
      draft="payout-rules-stop"
      onDo={async (reason) => {
        await call(stopPayoutRules, { body: { reason } })
        toast('The rules are off')
        await refetch(staffPayoutRules, staffChanges)
      }}
      onClose={onClose}
    />
  )
}
