import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { ranksClass, sharesClass } from './shares-class.ts'
import type { TermsOf } from './programme-terms.tsx'

const LazyShares = lazy(async () => ({ default: (await import('./programme-terms.tsx')).Shares }))
const LazyLadder = lazy(async () => ({ default: (await import('./programme-terms.tsx')).RankLadder }))

/** A list's shares, loaded without delaying the list. */
export const Shares = ({ list }: { list: TermsOf }) => (
  <Suspense fallback={<p className={sharesClass(list)} />}>
    <LazyShares list={list} />
  </Suspense>
)

/** Ranks, loaded without delaying the list. */
export const RankLadder = () => (
  <Suspense fallback={<Skeleton className={ranksClass} />}>
    <LazyLadder />
  </Suspense>
)
