import { payouts } from './queue.ts'
import { QueueView } from './queue-view.tsx'

/** `/staff/payouts` */
export default function PayoutsView() {
  return <QueueView words={payouts} />
}
