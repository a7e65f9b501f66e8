import { deposits } from '../requests/queue.ts'
import { QueueView } from '../requests/queue-view.tsx'

/** `/staff/deposits` */
export default function DepositsView() {
  return <QueueView words={deposits} />
}
