import { andThen } from '../../primitives/andThen.ts'
import { fromBase64 } from '../../privacy/enclave/base64.ts'
import type { GroupKind } from '../../privacy/sending/markers.ts'
import type { RpcContext, RpcPorts } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { type Definition, type Method, method, type Param, type Values } from '../protocol/method.ts'
import type { Requester } from '../protocol/requester.ts'

/** What the file of a method about private transactions declares; `privacy` is there without being named. */
interface PrivateDefinition<K extends PrivatePort, N extends keyof RpcContext, P extends readonly Param<unknown>[], R>
  extends Omit<Definition<N, P, R>, 'handler'> {
  /** The error of a tenant that is not a member of the group; it is the same if there is no such group. */
  readonly outsider?: OutsiderFault
  /** Who has to keep the groups; without it the method is served in any case. */
  readonly groups?: GroupKind
  handler(context: Pick<RpcContext, N | K>, args: Values<P>): R | Promise<R>
}

/** What a method sees of private transactions: all, or no more than their logs. */
type PrivatePort = 'privacy' | 'privateLogs'

type OutsiderFault = 'UNAUTHORIZED' | 'PRIVATE_NONCE_UNKNOWN' | 'GROUP_NOT_FOUND' | 'GROUP_NOT_DELETED'

/** The parameter that names a group: whatever a method does, only members of the group may ask for it. */
export const groupParamName = 'privacyGroupId'

const anybody: Requester = {}

/** A method that answers only where private transactions are enabled, and else refuses whatever the parameters are. */
export function privateMethod<const N extends keyof RpcContext, const P extends readonly Param<unknown>[], R>(
  definition: PrivateDefinition<'privacy', N, P, R>,
): Method {
  return methodOn('privacy', definition)
}

/** The same for a method that needs no more than the logs of private transactions. */
export function privateLogsMethod<const N extends keyof RpcContext, const P extends readonly Param<unknown>[], R>(
  definition: PrivateDefinition<'privateLogs', N, P, R>,
): Method {
  return methodOn('privateLogs', definition)
}

function methodOn<
  const K extends PrivatePort,
  const N extends keyof RpcContext,
  const P extends readonly Param<unknown>[],
  R,
>(port: K, definition: PrivateDefinition<K, N, P, R>): Method {
  type Context = Pick<RpcContext, N | K>
  const groupAt = definition.params.findIndex(({ name }) => name === groupParamName)
  const { groups, outsider = 'UNAUTHORIZED' } = definition

  function maySee(context: Pick<RpcContext, K>, args: readonly unknown[]): boolean | Promise<boolean> {
    const { maySee } = context[port]
    const id = args[groupAt]
    const group = typeof id === 'string' ? fromBase64(id) : undefined
    // Each handler refuses what is not an id, in its own way.
    return group?.length === 32 ? maySee(group) : true
  }

  const inner = method<N | K, P, R>({
    ...definition,
    needs: [...definition.needs, port],
    errors: [
      [-50100, 'Privacy is not enabled, or the private transaction manager failed.'],
      ...(groupAt >= 0 && outsider === 'UNAUTHORIZED' ? [notMember] : []),
      ...(definition.errors ?? []),
    ],
    handler: (context, args) =>
      andThen(maySee(context as Context, args), (may) => {
        if (!may) throw new RpcError({ code: outsider })
        return definition.handler(context as Context, args)
      }) as R | Promise<R>,
  })
  return {
    ...inner,
    run(ports, args, budget, requester = anybody) {
      const given = ports[port]
      if (!given && groups !== 'flexible') throw new RpcError({ code: 'PRIVACY_DISABLED' })
      if (!given || (groups && given.kind !== groups)) throw new RpcError({ code: 'METHOD_NOT_ENABLED' })
      // The handler gets the private transactions of the requester, in the place of what gives them to anyone.
      const own = { ...ports, [port]: given.of(requester) } as unknown as RpcPorts
      return inner.run(own, args, budget)
    },
  }
}

const notMember = [-40100, 'With tenants: the key of the token is not a member of the group.'] as const
