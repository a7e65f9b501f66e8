import { deleteSegment, saveSegment, staffSegments } from '@tizara/contract/staff-saved-segments'
import type { QueryOf } from '@tizara/contract'
import type { staffMembers } from '@tizara/contract/staff-members'
import type { segmentEntries } from '@tizara/contract/staff-segments'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { FormError } from '../../kit/form-error.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { isOffline } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'

export type Segment = Pick<QueryOf<typeof staffMembers>, keyof typeof segmentEntries>

const isSame = (one: Segment, other: Segment) =>
  JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted())

/** Applies the segments that staff saved, saves the criteria in the address under a name, and deletes a segment. */
export function SavedSegments({ segment, onApply }: { segment: Segment; onApply: (segment: Segment) => void }) {
  const { data: saved = [] } = useQuery(watch(staffSegments, {}))
  const may = useMay('saveSegment')
  const whoCan = useWhoCan('saveSegment')
  const [name, setName] = useState('')
  const [errorText, setErrorText] = useState<string>()
  const current = saved.find(({ criteria }) => isSame(criteria, segment))
  const isSet = Object.keys(segment).length > 0
  async function act(change: () => Promise<unknown>, done: string): Promise<void> {
    if (isOffline()) return
    setErrorText(undefined)
    try {
      await change()
      setName('')
      toast(done)
      await refetch(staffSegments)
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  return (
    <section className="mt-3 flex min-w-0 flex-wrap items-center gap-2" aria-label="Saved segments">
      {saved.map(({ id, name: label, criteria }) => (
        <Button key={id} size="sm" aria-pressed={id === current?.id} onClick={() => onApply(criteria)}>
          {plain(label)}
        </Button>
      ))}
      {current !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          aria-disabled={!may}
          title={may ? undefined : whoCan}
          onClick={() => may && void act(() => call(deleteSegment, { params: { id: current.id }, body: {} }), 'Deleted')}
        >
          Delete “{plain(current.name)}”
        </Button>
      )}
      {isSet && current === undefined && may && (
        <form
          className="flex min-w-0 items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void act(() => call(saveSegment, { body: { name: name.trim(), criteria: segment } }), 'Saved for all staff')
          }}
        >
          <input
            className="control min-w-0"
            aria-label="Name of the segment"
            placeholder="Name of the segment"
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" size="sm" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      )}
      <FormError text={errorText} />
    </section>
  )
}
