/**
 * Wing & Gong's tree search for a linearization.
 *
 *   J. Wing, C. Gong. Testing and verifying concurrent objects. Journal of Parallel and
 *   Distributed Computing 17, 1993; as told by G. Lowe. Testing for linearizability.
 *   CCPE 29(4), 2017, section 3.
 *
 * Any operation that no other one left precedes may take effect next. They are tried by call,
 * which is often the true order: quick with luck. Without memory it does all work after two
 * operations that commute once for each of their orders: exponential without luck.
 *
 * Departures: the list holds operations by call and no returns, since the first return of
 * those left is known; operations that never return; read-only ones do not branch. The
 * published code does not clear its set of those that took effect when it goes back, and can
 * tell a longest prefix that is too long. Here the two are one stack.
 */
import { DepthFirst } from './depth-first.js';

export class WgTree extends DepthFirst {
  readonly name: string = 'Wing & Gong tree search';
  protected readonly mustFirst = false;
}
