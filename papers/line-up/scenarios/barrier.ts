/**
 * A barrier: a participant that arrives waits until all others have arrived.
 *
 * Root cause L, intended by its authors: in sequential runs no two calls return. A correct barrier is
 * not a linearizable object.
 */
import { Monitor } from 'straightedge/explore';
import { Cancelled, InvalidOperation } from './errors.js';

export class Barrier {
  private readonly monitor = new Monitor();
  private participants: number;
  private arrived = 0;
  private phase = 0;
  private isCancelled = false;

  constructor(participants: number) {
    this.participants = participants;
  }

  signalAndWait(): void {
    this.monitor.enter();
    const phase = this.phase;
    const hasNoParticipants = this.participants === 0;
    if (!hasNoParticipants) {
      this.arrived++;
      this.endPhase();
      while (this.phase === phase && !this.isCancelled) this.monitor.wait();
      // who is called off has not arrived
      if (this.phase === phase) this.arrived--;
    }
    const isOver = this.phase !== phase;
    this.monitor.exit();
    if (hasNoParticipants) throw new InvalidOperation('there are no participants');
    if (!isOver) throw new Cancelled();
  }

  participantsRemaining(): number {
    this.monitor.enter();
    const remaining = this.participants - this.arrived;
    this.monitor.exit();
    return remaining;
  }

  participantCount(): number {
    return this.participants;
  }

  currentPhaseNumber(): number {
    return this.phase;
  }

  /** Gives the phase from which on it takes part. */
  addParticipant(): number {
    this.monitor.enter();
    this.participants++;
    const phase = this.phase;
    this.monitor.exit();
    return phase;
  }

  removeParticipant(): void {
    this.monitor.enter();
    const hasNoParticipants = this.participants === 0;
    if (!hasNoParticipants) this.participants--;
    this.endPhase();
    this.monitor.exit();
    if (hasNoParticipants) throw new InvalidOperation('there are no participants');
  }

  cancelToken(): void {
    this.monitor.enter();
    this.isCancelled = true;
    this.monitor.notifyAll();
    this.monitor.exit();
  }

  private endPhase(): void {
    if (this.arrived === 0 || this.arrived < this.participants) return;
    this.arrived = 0;
    this.phase++;
    this.monitor.notifyAll();
  }
}
