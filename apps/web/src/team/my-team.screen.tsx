import type { TeamNode } from '@tizara/contract/team'
import { t } from '@tizara/languages'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { useWalletUnit } from '../wallets/index.ts'
import { EmptyArt } from '../ui/art/empty-art.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Card } from '../ui/card.tsx'
import { retryOf } from '../lib/http/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { loadBranch, useTeam, useTeamStake } from './team.queries.ts'
import { TeamTree } from './team-tree.ts'
import { moreKey, type TreeRow } from './tree-rows.ts'
import { TreeView } from './tree-view.tsx'

/** Loaded after the tree's first render. */
const PeopleTable = lazy(async () => ({ default: (await import('./people-table.tsx')).PeopleTable }))
const TeamSearch = lazy(async () => ({ default: (await import('./team-search.tsx')).TeamSearch }))

/** Returns true if the team has only the member. */
const isEmpty = (reply: TeamNode | readonly TeamNode[]): boolean =>
  'id' in reply ? reply.children.length === 0 && (reply.childCount ?? 0) === 0 : reply.length === 0

/** `/my-team` (UI-TEAM rows). */
export default function MyTeamScreen() {
  const { data: stake, isPending: stakePending } = useTeamStake()
  const teamQuery = useTeam()
  const { data: team, error } = teamQuery
  const unit = useWalletUnit()('stakeWallet')
  const [tree] = useState(() => new TeamTree(loadBranch))
  const rows = useSyncExternalStore(tree.subscribe, tree.inSight, tree.inSight)
  const [view, setView] = useState<'tree' | 'list'>('tree')
  const [active, setActive] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (team !== undefined) tree.setTop(team)
  }, [team, tree])

  async function reveal(path: readonly string[]): Promise<void> {
    setView('tree')
    await tree.reveal(path)
    setActive(path.at(-1))
  }

  /** Loads a branch's next people. If the "more" row was selected, the first new person takes its place. */
  async function more({ node, loading, more: part }: TreeRow): Promise<string | undefined> {
    if (loading || part === undefined) return undefined
    setAnnouncement('')
    const loaded = await tree.more(node.id)
    if (loaded === undefined) {
      setAnnouncement(t('More people did not load.'))
      return undefined
    }
    setAnnouncement(
      t('{shown} of {total} people directly below {name} are shown.', {
        shown: part.shown + loaded.length,
        total: part.total,
        name: node.name,
      }),
    )
    const nextKey = loaded[0]?.id ?? tree.inSight().findLast((row) => row.parent === node.id)?.key
    setActive((now) => (now === moreKey(node.id) ? nextKey : now))
    return nextKey
  }
  const direct = team !== undefined && 'id' in team ? team.childCount : undefined

  return (
    <>
      <PageHeader title={t('My Team')} subtitle={t('Your downline, branch by branch.')} />
      <div className="mb-5 grid gap-3 min-[480px]:grid-cols-2 sm:gap-4">
        <StatCard
          label={t('Total Stake')}
          loading={stakePending}
          value={stake === undefined ? '–' : <Money value={stake.totalStake} unit={unit} tap />}
          sub={t('staked by your team so far, including finished stakes')}
        />
        {direct !== undefined && (
          <StatCard label={t('Direct referrals')} value={direct.toLocaleString('en-US')} sub={t('people who signed up with your code')} />
        )}
      </div>
      {team === undefined && error === null ? (
        <TreeSkeleton />
      ) : team === undefined || isEmpty(team) ? (
        <Card>
          <EmptyState
            title={t('Data Not Found')}
            text={team && t('Your team grows when a person signs up with your referral link.')}
            art={<EmptyArt />}
            onRetry={retryOf(teamQuery)}
            action={
              team && (
                <Link href="/dashboard" className={buttonClass('primary')}>
                  {t('Copy my link')}
                </Link>
              )
            }
          />
        </Card>
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <Suspense fallback={<Skeleton className="h-11 w-full rounded-lg sm:w-80" />}>
              <TeamSearch tree={tree} unit={unit} onFound={(path) => void reveal(path)} />
            </Suspense>
            <Segmented
              label={t('View')}
              value={view}
              onChange={setView}
              options={[
                { value: 'tree', label: t('Tree') },
                { value: 'list', label: t('List') },
              ]}
            />
          </div>
          <output className="sr-only">{announcement}</output>
          {view === 'tree' ? (
            <TreeView tree={tree} rows={rows} unit={unit} active={active} onActive={setActive} onMore={more} />
          ) : (
            <Suspense fallback={<Skeleton className="h-64 w-full rounded-lg" />}>
              <PeopleTable rows={tree.everybody()} unit={unit} onMore={more} />
            </Suspense>
          )}
        </>
      )}
    </>
  )
}

function TreeSkeleton() {
  return (
    <Card padding="none" aria-busy="true">
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} className="flex items-center gap-3 border-b px-4 py-4 last:border-0">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3.5 w-40 max-w-full" />
            <Skeleton className="h-3 w-56 max-w-full" />
          </div>
        </div>
      ))}
    </Card>
  )
}
