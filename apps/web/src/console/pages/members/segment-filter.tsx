import { segmentEntries } from '@tizara/contract/staff-segments'
import { useState } from 'react'
import * as v from 'valibot'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Select } from '../../../ui/select.tsx'
import { SavedSegments, type Segment } from './saved-segments.tsx'

type Criterion = keyof typeof segmentEntries

const CRITERIA = Object.keys(segmentEntries) as Criterion[]
const SEGMENT = v.object(segmentEntries)
/** Removes all criteria from the address. */
export const NO_SEGMENT = Object.fromEntries(CRITERIA.map((name) => [name, undefined]))

/** Reads the criteria from the address. Ignores the ones that a link contains with invalid values. */
export function readSegmentFilter(search: URLSearchParams): { segment: Segment; isSet: boolean } {
  const set = CRITERIA.flatMap((name) => {
    const value = search.get(name)
    return value !== null && v.safeParse(segmentEntries[name], value).success ? [[name, value] as const] : []
  })
  return { segment: v.parse(SEGMENT, Object.fromEntries(set)), isSet: set.length > 0 }
}

const days = (count: string) => (count === '1' ? '1 day' : `${count} days`)
const SEEN = segmentEntries.seenWithin.wrapped.options.map((value) => ({ value, label: days(value) }))
const NOT_SEEN = segmentEntries.notSeenFor.wrapped.options.map((value) => ({ value, label: days(value) }))
const SIGNS = [
  { value: 'linked', label: 'Linked account, not cleared' },
  { value: 'frozen', label: 'Payouts frozen or stopped' },
]
const TEXTS = [
  ['usdFrom', 'USD from', 'numeric'],
  ['usdBelow', 'USD below', 'numeric'],
  ['stakedFrom', 'Coin in stakes from', 'numeric'],
  ['rank', 'Rank', 'text'],
  ['callingCode', 'Calling code', 'numeric'],
] as const
const CHOICES = [
  ['seenWithin', 'Seen in the last', SEEN],
  ['notSeenFor', 'Not seen for', NOT_SEEN],
  ['sign', 'Sign', SIGNS],
] as const

/** Form of a segment. The criteria are in the address, so that a link shows the same members. */
export function SegmentFilter({ segment, onApply }: { segment: Segment; onApply: (segment: Segment) => void }) {
  const [typed, setTyped] = useState<{ [K in Criterion]?: string | undefined }>(segment)
  const [errors, setErrors] = useState<Partial<Record<Criterion, string>>>({})
  const set = (name: Criterion) => (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value })
  function apply(): void {
    const filled = Object.fromEntries(
      CRITERIA.flatMap((name) => {
        const value = typed[name]?.trim() ?? ''
        return value === '' ? [] : [[name, value] as const]
      }),
    )
    const read = v.safeParse(SEGMENT, filled)
    if (read.success) return onApply(read.output)
    setErrors(Object.fromEntries(read.issues.map((issue) => [String(issue.path?.[0].key), issue.message])))
  }
  return (
    <div className={panelClass('mt-3 p-4')}>
      <form
        aria-label="Segment"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div className="grid grid-cols-4 gap-3 max-lg:grid-cols-2">
          {TEXTS.map(([name, label, mode]) => (
            <Field key={name} label={label} error={errors[name]}>
              <Input inputMode={mode} value={typed[name] ?? ''} onChange={set(name)} />
            </Field>
          ))}
          {CHOICES.map(([name, label, options]) => (
            <Field key={name} label={label} error={errors[name]}>
              <Select placeholder="Any" options={options} value={typed[name] ?? ''} onChange={set(name)} />
            </Field>
          ))}
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button type="submit">Apply</Button>
          <Button variant="ghost" onClick={() => onApply({})}>
            Clear the filter
          </Button>
          <span className="text-xs text-faint">A page of the list reads 10,000 members, the newest first. The export reads all.</span>
        </div>
      </form>
      <SavedSegments segment={segment} onApply={onApply} />
    </div>
  )
}
