import LifeBuoy from 'lucide-react/icons/life-buoy'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'tickets',
  title: 'Tickets',
  icon: LifeBuoy,
  key: 't',
  right: 'staffTickets',
  menu: { section: 'Work', position: 3, onPhone: true },
  load: () => import('./tickets.view.tsx'),
}
