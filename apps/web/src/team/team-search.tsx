import { joinList, t } from '@tizara/languages'
import Search from 'lucide-react/icons/search'
import { useDeferredValue, useEffect, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Money } from '../ui/money.tsx'
import type { TeamTree } from './team-tree.ts'
import { levelOfMember } from './tree-rows.ts'
import { useTeamSearch } from './team.queries.ts'
import { T } from '../ui/t.tsx'

interface Hit {
  id: string
  name: string
  email: string
  code: string
  level: number
  stake: bigint | undefined
  /** From a direct referral down to the person. */
  path: readonly { id: string; name: string }[]
}

const WAIT_MS = 250
const MAX_HITS = 25

/** Debounces a text. */
function useDebounced(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** Searches the loaded people, for servers without search. */
function searchTree(tree: TeamTree, text: string): Hit[] {
  const search = text.toLowerCase()
  const rows = tree.everybody().filter((row) => row.more === undefined)
  const byId = new Map(rows.map((row) => [row.node.id, row]))
  const base = levelOfMember(rows)
  return rows
    .filter(
      ({ node, level }) => level > base && [node.name, node.email, node.myReferralCode].some((one) => one.toLowerCase().includes(search)),
    )
    .slice(0, MAX_HITS)
    .map(({ node, level }) => {
      const path: { id: string; name: string }[] = []
      for (
        let at = byId.get(node.id);
        at !== undefined && at.level > base;
        at = at.parent === undefined ? undefined : byId.get(at.parent)
      ) {
        path.unshift({ id: at.node.id, name: at.node.name })
      }
      return {
        id: node.id,
        name: node.name,
        email: node.email,
        code: node.myReferralCode,
        level: level - base,
        stake: node.teamStake,
        path,
      }
    })
}

/** Searches the team and opens the path to a person. */
export function TeamSearch({ tree, unit, onFound }: { tree: TeamTree; unit: string; onFound: (path: readonly string[]) => void }) {
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(useDebounced(typed.trim()))
  const { data, isError, isFetching } = useTeamSearch(text)
  const isSearching = text.length >= 2 && typed.trim() !== ''
  const hits: readonly Hit[] | undefined = !isSearching
    ? undefined
    : isError
      ? searchTree(tree, text)
      : data?.data.map(({ myReferralCode, teamStake, ...hit }) => ({ ...hit, code: myReferralCode, stake: teamStake }))

  function choose(hit: Hit): void {
    setTyped('')
    onFound(hit.path.length > 0 ? hit.path.map((step) => step.id) : [hit.id])
  }

  return (
    <search className="relative block w-full sm:w-80">
      <Field label={t('Find a person')} labelHidden>
        <Input
          type="search"
          value={typed}
          placeholder={t('Name, mail address or code')}
          autoComplete="off"
          start={<Search size={16} aria-hidden="true" className="text-faint" />}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const [first] = hits ?? []
            if (event.key === 'Escape') setTyped('')
            // The hits match the typed text only after the debounce.
            if (event.key === 'Enter' && first !== undefined && text === typed.trim()) choose(first)
          }}
        />
      </Field>
      <output className="sr-only">
        {hits === undefined ? (isFetching && isSearching ? t('Searching') : '') : t('{hits} found', { hits: hits.length })}
      </output>
      {hits !== undefined && (
        <div className="absolute inset-x-0 top-full z-10 mt-1.5 max-h-96 overflow-y-auto rounded-xl border border-line-strong bg-surface p-1.5 shadow-elevate sm:w-[26rem]">
          {hits.length === 0 ? (
            <p className="px-3 py-4 text-center text-sm text-muted">{t('No one in your team matches.')}</p>
          ) : (
            <ul>
              {hits.map((hit) => (
                <li key={hit.id}>
                  <button
                    type="button"
                    onClick={() => choose(hit)}
                    className="flex w-full items-baseline justify-between gap-4 rounded-lg px-3 py-2 text-start text-sm hover:bg-hover"
                  >
                    <span className="min-w-0">
                      <span className="block font-semi">{hit.name}</span>
                      <span className="block break-all text-muted">{hit.email}</span>
                      {hit.path.length > 1 && (
                        <span className="block text-xs text-faint">
                          <T text="below {path}" path={joinList(hit.path.slice(0, -1).map((step) => step.name))} />
                        </span>
                      )}
                    </span>
                    <span className="shrink-0 text-end text-xs text-faint">
                      <T text="level {level}" level={hit.level} />
                      {hit.stake !== undefined && (
                        <span className="block text-muted">
                          <Money value={hit.stake} unit={unit} />
                        </span>
                      )}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {data !== undefined && data.meta.total > hits.length && !isError && (
            <p className="px-3 py-2 text-xs text-faint">
              <T text="{total} more. Type more of the name." total={data.meta.total - hits.length} />
            </p>
          )}
        </div>
      )}
    </search>
  )
}
