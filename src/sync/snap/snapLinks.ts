import type { ProtocolLink } from '../../net/protocol.ts'
import { badMessage } from '../../net/snap/fault.ts'
import type { SnapAsking, SnapClient } from '../../net/snap/snapProtocol.ts'

/** The connections to peers that offer snap; a download is given all of them, also those that are opened later. */
export class SnapLinks implements SnapClient {
  private download: SnapClient | undefined
  private readonly links = new Map<ProtocolLink, SnapAsking | undefined>()

  readonly open: SnapClient['open'] = (link) => {
    this.links.set(link, this.download?.open(link))
    return {
      onResponse: (code, payload) => {
        const asking = this.links.get(link)
        if (!asking) throw badMessage('a response that nothing asked for')
        asking.onResponse(code, payload)
      },
      onClose: () => {
        const asking = this.links.get(link)
        this.links.delete(link)
        asking?.onClose()
      },
    }
  }

  /** Number of peers that offer snap. */
  count(): number {
    return this.links.size
  }

  /** Gives the connections to a download. */
  use(download: SnapClient): void {
    this.download = download
    for (const link of [...this.links.keys()]) this.links.set(link, download.open(link))
  }

  /** The download needs them no longer; its late responses are still its own. */
  release(): void {
    this.download = undefined
  }
}
