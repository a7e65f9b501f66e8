import { translateResponse } from '@tizara/contract/response-texts'
import { ownJob } from '@tizara/contract/wallets-statements'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { Button } from '../../ui/button.tsx'
import { downloadFile } from '../http/load-file.ts'
import { read } from '../http/query.ts'
import { T } from '../../ui/t.tsx'

/** Shows the progress of a background job that writes a file, then a button that downloads it. */
export function JobFile({ id, onError }: { id: string; onError: (error: unknown) => void }) {
  const { data: job } = useQuery({
    ...read(ownJob, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'DONE' || state.data?.state === 'FAILED' ? false : 1_000),
  })
  const { fileHref, fileName = 'statement.csv' } = job ?? {}
  if (job?.state === 'FAILED')
    return (
      <p role="alert" className="text-danger">
        {translateResponse(job.error ?? '', t)}
      </p>
    )
  if (fileHref !== undefined)
    return (
      <Button variant="primary" onClick={() => downloadFile(fileHref, fileName).catch(onError)}>
        <T text="Download {fileName}" fileName={fileName} />
      </Button>
    )
  return <progress aria-label={t('The file is being written')} max={job?.total === 0 ? undefined : job?.total} value={job?.done} />
}
