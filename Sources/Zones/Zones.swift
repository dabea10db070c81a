// Zones
