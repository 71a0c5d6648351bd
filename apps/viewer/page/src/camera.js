// The camera: turns about a target, pans, zooms, and fits what is shown. Any axis may point up.

import * as THREE from "three";

const FIELD_OF_VIEW = 28, STEEPEST = 1.5; // [degrees], [rad]

export class OrbitCamera {
  constructor() {
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.target = new THREE.Vector3();
    this.distance = 3;
    this.azimuth = (28 * Math.PI) / 180;
    this.elevation = (17 * Math.PI) / 180;
    this.setUp([0, 1, 0]);
  }

  /** As `resilin render`: seen from the front, which is -y when z points up. */
  setUp(up) {
    this.up = new THREE.Vector3(...up).normalize();
    const front = Math.abs(this.up.z) > 0.7 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    this.front = front.addScaledVector(this.up, -front.dot(this.up)).normalize();
    this.side = new THREE.Vector3().crossVectors(this.up, this.front);
    this.update();
  }

  towards() {
    const level = Math.cos(this.elevation);
    return new THREE.Vector3().addScaledVector(this.front, level * Math.cos(this.azimuth))
      .addScaledVector(this.side, level * Math.sin(this.azimuth)).addScaledVector(this.up, Math.sin(this.elevation));
  }

  update() {
    this.camera.up.copy(this.up);
    this.camera.position.copy(this.target).addScaledVector(this.towards(), this.distance);
    this.camera.lookAt(this.target);
    this.camera.near = this.distance / 200;
    this.camera.far = this.distance * 60;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  setAspect(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** By pixels of the pointer's way, in a view of so many pixels. */
  orbit(dx, dy, height) {
    this.azimuth -= (dx / height) * Math.PI;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + (dy / height) * Math.PI));
    this.update();
  }

  pan(dx, dy, height) {
    const pixel = (2 * this.distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / height;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -dx * pixel).addScaledVector(above, dy * pixel);
    this.update();
  }

  zoom(factor) {
    this.distance = Math.max(1e-6, this.distance * factor);
    this.update();
  }

  /** Turns to where the long side of the points faces the viewer. */
  face(points) {
    const extent = (axis) => {
      let low = Infinity, high = -Infinity;
      for (let i = 0; i + 2 < points.length; i += 3) {
        const s = axis.x * points[i] + axis.y * points[i + 1] + axis.z * points[i + 2];
        low = Math.min(low, s), high = Math.max(high, s);
      }
      return high - low;
    };
    this.azimuth = ((extent(this.front) > 1.3 * extent(this.side) ? 60 : 28) * Math.PI) / 180;
    this.elevation = (17 * Math.PI) / 180;
    this.update();
  }

  /** Moves so that all points are seen, with a margin (the nearest such place, see fit_view of src/render/camera.cpp). */
  fit(points, margin = 0.74) {
    if (points.length < 3) return;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const ahead = this.towards().negate();
    const tv = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * margin, th = tv * this.camera.aspect;
    let a = Infinity, b = Infinity, c = Infinity, e = Infinity, near = Infinity, far = -Infinity;
    for (let i = 0; i + 2 < points.length; i += 3) {
      const px = points[i], py = points[i + 1], pz = points[i + 2];
      if (!Number.isFinite(px + py + pz)) continue;
      const x = right.x * px + right.y * py + right.z * pz, y = above.x * px + above.y * py + above.z * pz;
      const z = ahead.x * px + ahead.y * py + ahead.z * pz;
      a = Math.min(a, z * th - x), b = Math.min(b, z * th + x);
      c = Math.min(c, z * tv - y), e = Math.min(e, z * tv + y);
      near = Math.min(near, z), far = Math.max(far, z);
    }
    if (!Number.isFinite(near)) return;
    const z = Math.min((a + b) / (2 * th), (c + e) / (2 * tv), near - 1e-3 * Math.max(far - near, 1e-9));
    const x = (b - a) / 2, y = (e - c) / 2, middle = (near + far) / 2;
    this.target.set(0, 0, 0).addScaledVector(right, x).addScaledVector(above, y).addScaledVector(ahead, middle);
    this.distance = Math.max(middle - z, 1e-6);
    this.update();
  }

  save() {
    return [...this.target.toArray(), this.distance, this.azimuth, this.elevation];
  }
  load([x, y, z, distance, azimuth, elevation]) {
    this.target.set(x, y, z);
    Object.assign(this, { distance, azimuth, elevation });
    this.update();
  }
}
