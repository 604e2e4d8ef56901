import type { GroupKind } from '../../privacy/markers.ts'
import type { PrivacyPort, RpcContext } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { type Definition, type Method, method, type Param, type Values } from '../protocol/method.ts'

/** What the file of a method about private transactions declares; `privacy` is there without being named. */
interface PrivateDefinition<N extends keyof RpcContext, P extends readonly Param<unknown>[], R>
  extends Omit<Definition<N, P, R>, 'handler'> {
  /** Who has to keep the groups; without it the method is served in any case. */
  readonly groups?: GroupKind
  handler(context: Pick<RpcContext, N> & { readonly privacy: PrivacyPort }, args: Values<P>): R | Promise<R>
}

/** A method that answers only where private transactions are enabled, and else refuses whatever the parameters are. */
export function privateMethod<const N extends keyof RpcContext, const P extends readonly Param<unknown>[], R>(
  definition: PrivateDefinition<N, P, R>,
): Method {
  const { groups } = definition
  const inner = method<N | 'privacy', P, R>({
    ...definition,
    needs: [...definition.needs, 'privacy'],
    errors: [
      [-50100, 'Privacy is not enabled, or the private transaction manager failed.'],
      ...(definition.errors ?? []),
    ],
    handler: (context, args) =>
      definition.handler(context as Pick<RpcContext, N> & { readonly privacy: PrivacyPort }, args),
  })
  return {
    ...inner,
    run(ports, args, budget) {
      if (!ports.privacy && groups !== 'flexible') throw new RpcError({ code: 'PRIVACY_DISABLED' })
      if (groups && ports.privacy?.kind !== groups) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
      return inner.run(ports, args, budget)
    },
  }
}
