import { payouts } from '../requests/queue.ts'
import { QueueView } from '../requests/queue-view.tsx'

/** `/staff/payouts` */
export default function PayoutsView() {
  return <QueueView words={payouts} />
}
