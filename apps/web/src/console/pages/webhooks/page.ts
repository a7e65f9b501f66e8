import Webhook from 'lucide-react/icons/webhook'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'webhooks',
  title: 'Webhooks',
  icon: Webhook,
  right: 'staffWebhooks',
  menu: { section: 'Platform', position: 9 },
  load: () => import('./webhooks.view.tsx'),
}
