import type { ReplyOf } from '@tizara/contract'
import { staffImportReport, staffImports } from '@tizara/contract/staff-imports'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { saveFile } from '../../../lib/http/load-file.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { Amount } from '../../kit/amount.tsx'
import { errorTextOf } from '../../kit/error-text.ts'
import { Heads } from '../../kit/heads.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'
import { SendMails } from './send-mails.tsx'

type ImportRow = ReplyOf<typeof staffImports>['imports'][number]
type Total = ImportRow['totals'][number]

const POLL_INTERVAL_MS = 2_000
const STATES: Record<ImportRow['status'], [string, Tone]> = {
  STAGED: ['Awaiting approval', 'warning'],
  APPROVED: ['Approved', 'accent'],
  DONE: ['Done', 'success'],
  REFUSED: ['Rejected', 'danger'],
}
const STAGES = {
  verify: 'Comparing the stored rows with the check',
  members: 'Adding members',
  balances: 'Adding balances',
  stakes: 'Adding stakes',
  nfts: 'Adding NFTs',
  compare: 'Comparing with the old platform',
} as const
const COUNTS: Readonly<Record<string, string>> = {
  members: 'Members',
  referrals: 'Members with a sponsor',
  specialMembers: 'Special members',
  ranked: 'Members with a rank',
  stakes: 'Stakes',
  nfts: 'NFTs',
  history: 'Past movements',
}

const figure = (value: number) => value.toLocaleString('en-US')

/** Name of a control sum: `balances.nativeWallet` or `promisedCoin.2026-03`. */
function labelOf(key: string): string {
  const [part = '', name = ''] = key.split('.')
  if (part === 'promisedCoin') return `Rewards of stakes due in ${name}`
  if (part === 'promisedUsd') return `Rewards of NFTs due in ${name}`
  return COUNTS[part] ?? name
}

/** `/staff/imports`: members of another platform, whom two people bring in by the hash of the files. */
export default function ImportsView() {
  const list = useQuery({
    ...watch(staffImports, {}),
    refetchInterval: ({ state }) => (state.data?.imports.some(({ status }) => status === 'APPROVED') === true ? POLL_INTERVAL_MS : 15_000),
  })
  const [mailing, setMailing] = useState<ImportRow>()
  const { imports = [], free } = list.data ?? {}
  return (
    <Page
      title="Imports"
      hint="Members of another platform. One person proposes the files on the server; another one checks the same files and approves their hash."
    >
      <ListState query={list} rows={imports.length} none="No imports yet" hint="An import begins on the server, where the files are." />
      {list.data !== undefined && imports.length === 0 && <Steps />}
      {free !== undefined && free < 0n && imports.some(({ status }) => status === 'DONE') && (
        <Notice tone="warning" title="Not everything is covered" className="mt-3">
          Liabilities in USD are <Amount value={-free} asset="usd" decimals="exact" /> above the reserves. Add external money to the sales
          fund.
        </Notice>
      )}
      {imports.map((row) => (
        <ImportPanel key={row.hash} row={row} onMail={() => setMailing(row)} />
      ))}
      {mailing !== undefined && <SendMails row={mailing} onClose={() => setMailing(undefined)} />}
    </Page>
  )
}

/** Shows the way to a first import, with the commands to copy. */
const Steps = () => (
  <Panel title="How to import members" hint="The files and all checks are described in docs/import.md." className="mx-auto max-w-[680px]">
    <ol className="grid list-decimal gap-3 py-3 ps-9 pe-4 pb-4">
      <li>
        Check the files of the other platform. Nothing changes. <Command text="tizara import check FOLDER" />
      </li>
      <li>
        Propose the same files. They are stored here. <Command text="tizara import propose FOLDER" />
      </li>
      <li>
        Another person checks a copy of the files and approves their hash under{' '}
        <Link className="link" href="/staff/changes">
          Proposals
        </Link>
        .
      </li>
      <li>All members and balances are added together, or none. This page then shows the totals, the signed report and the mails.</li>
    </ol>
  </Panel>
)

const Command = ({ text }: { text: string }) => (
  <span className="mt-1 flex min-w-0 items-center gap-2">
    <code className="min-w-0 rounded-md bg-raised px-2 py-1 font-mono text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} label="Copy command" iconOnly />
  </span>
)

function ImportPanel({ row, onMail }: { row: ImportRow; onMail: () => void }) {
  const [state, tone] = STATES[row.status]
  return (
    <Panel title={`Files ${row.hash.slice(0, 12)}`} className="mt-3" right={<Badge tone={tone}>{state}</Badge>}>
      <div className="grid gap-3 px-4 pt-3 pb-4">
        <p className="text-xs text-muted">
          Stored {briefly(row.stagedAt)}
          {row.approvedAt !== null && `, approved ${briefly(row.approvedAt)}`}
          {row.endedAt !== null && `, ended ${briefly(row.endedAt)}`} UTC. Hash <code className="wrap-anywhere">{row.hash}</code>
        </p>
        {row.refusal !== null && (
          <Notice tone="danger" title="Nothing was added">
            {plain(row.refusal)}
          </Notice>
        )}
        {row.progress !== undefined && <Progress progress={row.progress} />}
        <Money row={row} />
        {row.withoutAddress > 0 && row.refusal === null && (
          <Notice tone="warning" title={`Members without their address: ${figure(row.withoutAddress)}`}>
            Another account has the address and keeps it. These members keep everything else. To let one sign in, two people recover the
            account with a new address. Search for the part of the old address before the @.
          </Notice>
        )}
        <Totals totals={row.totals} />
        {row.mails !== null && <After row={row} mails={row.mails} onMail={onMail} />}
      </div>
    </Panel>
  )
}

function Progress({ progress }: { progress: NonNullable<ImportRow['progress']> }) {
  const { stage, done, total, isRunning, attempts, error } = progress
  const rows = `${figure(done)} of ${figure(total)} rows`
  return (
    <div>
      <p role="status" className="mb-1 text-xs">
        {isRunning ? `${STAGES[stage]}, ${rows}` : 'Waiting for the worker. Nothing has been added.'}
        {attempts > 1 && `, attempt ${attempts}`}
      </p>
      <ProgressBar value={isRunning ? done : 0} max={total} label="Added rows" valueText={rows} />
      {error !== null && <p className="mt-1 text-xs text-danger">The last attempt failed and added nothing: {plain(error)}</p>}
    </div>
  )
}

function Money({ row: { usd, coin, raised } }: { row: ImportRow }) {
  return (
    <p>
      {raised === null ? 'Members will be owed ' : 'Members are owed '}
      <Amount value={usd} asset="usd" decimals="exact" /> that nobody paid in here, and{' '}
      <Amount value={coin} asset="coin" decimals="exact" /> from the stock.{' '}
      {raised !== null && (
        <>
          The commitment was raised by <Amount value={raised.coin} asset="coin" decimals="exact" /> and{' '}
          <Amount value={raised.usd} asset="usd" decimals="exact" />, because it did not cover the rewards to come.
        </>
      )}
    </p>
  )
}

function Totals({ totals }: { totals: readonly Total[] }) {
  const months = totals.filter(({ key }) => key.startsWith('promised'))
  return (
    <>
      <TotalsTable rows={totals.filter((total) => !months.includes(total))} />
      {months.length > 0 && (
        <details>
          <summary className="cursor-pointer text-xs">Rewards by month ({months.length})</summary>
          <TotalsTable rows={months} />
        </details>
      )}
    </>
  )
}

const TotalsTable = ({ rows }: { rows: readonly Total[] }) => (
  <Table dense folds>
    <Heads columns={['Total', ['Old platform', 'num'], ['Imported', 'num'], ['Comparison', 'sr']]} />
    <tbody>
      {rows.map(({ key, expected, imported }) => (
        <tr key={key}>
          <td>{labelOf(key)}</td>
          <td className="text-end" data-label="Old platform">
            {expected}
          </td>
          <td className="text-end" data-label="Imported">
            {imported ?? 'not yet'}
          </td>
          <td>
            {imported === null ? '' : imported === expected ? <Badge tone="success">Equal</Badge> : <Badge tone="danger">Different</Badge>}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

function After({ row, mails, onMail }: { row: ImportRow; mails: NonNullable<ImportRow['mails']>; onMail: () => void }) {
  const may = useMay('sendImportMails')
  const whoCan = useWhoCan('sendImportMails')
  async function download(): Promise<void> {
    try {
      const { data } = await call(staffImportReport, { params: { hash: row.hash } })
      saveFile(`import-${row.hash.slice(0, 12)}.csv`, new Blob([data.report], { type: 'text/csv' }))
    } catch (error) {
      toast(errorTextOf(error), { tone: 'danger' })
    }
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="min-w-0">
        {figure(mails.sent)} mails sent, {figure(mails.waiting)} to send
        {mails.waiting === 0 ? '' : mails.perHour === null ? '; sending is stopped' : `; at most ${figure(mails.perHour)} per hour`}
      </span>
      {mails.waiting > 0 && (
        <Button size="sm" aria-disabled={!may} title={may ? undefined : whoCan} onClick={() => may && onMail()}>
          {mails.perHour === null ? 'Send mails' : 'Change or stop'}
        </Button>
      )}
      {row.hasReport ? (
        <Button size="sm" onClick={() => void download()}>
          Download the signed report
        </Button>
      ) : (
        <span className="text-xs text-muted">The signed report is being written.</span>
      )}
    </div>
  )
}
