import { deposits } from './queue.ts'
import { QueueView } from './queue-view.tsx'

/** `/staff/deposits` */
export default function DepositsView() {
  return <QueueView words={deposits} />
}
